/// @file
/// Adding nodes to graphs, and changing what nodes do. What a node performs is captured from the
/// call of the API that would do it at once.
#include <cuda_runtime.h>

#include <algorithm>

#include "copies.h"
#include "errors.h"
#include "handles.h"
#include "kernel.h"
#include "streams.h"

namespace {

using cpu_device::alive;
using cpu_device::Operation;
using cpu_device::record;
using Operations = std::vector<Operation>;

/// Stores in *operations what `call(stream)` would submit.
template <class Call>
cudaError_t collect(Operations* operations, Call call) {
  CUstream_st stream;
  stream.captured = {std::make_shared<cpu_device::Capture>()};
  cpu_device::remember(&stream);
  const cudaError_t error = call(&stream);
  cpu_device::forget(&stream);
  if (error) return error;
  operations->clear();
  for (const auto& node : stream.captured.capture->graph.nodes) {
    operations->push_back(node->operations.front());
  }
  return cudaSuccess;
}

cudaError_t collect(Operations* operations, const cudaKernelNodeParams& p) {
  return collect(operations, [&](cudaStream_t stream) {
    return cudaLaunchKernel(p.func, p.gridDim, p.blockDim, p.kernelParams, p.sharedMemBytes,
                            stream);
  });
}
cudaError_t collect(Operations* operations, const cudaMemcpy3DParms& p) {
  return collect(operations, [&](cudaStream_t stream) { return cudaMemcpy3DAsync(&p, stream); });
}
cudaError_t collect(Operations* operations, const cudaMemsetParams& p) {
  const bool known = p.elementSize == 1 || p.elementSize == 2 || p.elementSize == 4;
  if (!known) return cudaErrorInvalidValue;
  const size_t width = p.width * p.elementSize;
  return collect(operations, [&](cudaStream_t stream) {
    return cpu_device::fill(p.dst, p.height > 1 ? p.pitch : width, p.value, p.elementSize, width,
                            p.height, stream);
  });
}
cudaError_t collect(Operations* operations, const cudaHostNodeParams& p) {
  return collect(operations,
                 [&](cudaStream_t stream) { return cudaLaunchHostFunc(stream, p.fn, p.userData); });
}
struct Copy1D {
  void* target;
  const void* source;
  size_t bytes;
  cudaMemcpyKind kind;
};
cudaError_t collect(Operations* operations, const Copy1D& p) {
  return collect(operations, [&](cudaStream_t stream) {
    return cudaMemcpyAsync(p.target, p.source, p.bytes, p.kind, stream);
  });
}

/// Keeps a kernel's parameters with copies of its arguments, so that they can be asked for.
void keep(CUgraphNode_st* node, const cudaKernelNodeParams& p) {
  const cpu_device::Kernel* kernel = cpu_device::find_kernel(p.func);
  std::vector<std::vector<char>> values;  // perhaps copied from those that the node has
  for (size_t i = 0; i < kernel->argument_sizes.size(); ++i) {
    const char* value = static_cast<const char*>(p.kernelParams[i]);
    values.emplace_back(value, value + kernel->argument_sizes[i]);
  }
  node->kernel = p;
  node->argument_values = std::move(values);
  node->arguments.clear();
  for (auto& value : node->argument_values) node->arguments.push_back(value.data());
  node->kernel.kernelParams = node->arguments.data();
}
template <class Parameters>
void keep(CUgraphNode_st*, const Parameters&) {}

/// Makes a node after its dependencies, or says what is wrong with them.
cudaError_t make_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                      size_t count, cudaGraphNodeType type) {
  if (const cudaError_t error = cpu_device::context_error()) return error;
  if (!node || !alive(graph) || (count && !before)) return cudaErrorInvalidValue;
  const bool known = std::all_of(before, before + count, [&](CUgraphNode_st* each) {
    return alive(each) && each->graph == graph;
  });
  if (!known) return cudaErrorInvalidValue;
  *node = cpu_device::add_node(*graph, type);
  (*node)->before.assign(before, before + count);
  return cudaSuccess;
}

template <class Parameters>
cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                size_t count, cudaGraphNodeType type, const Parameters* parameters) {
  if (!parameters) return record(cudaErrorInvalidValue);
  Operations operations;
  if (const cudaError_t error = collect(&operations, *parameters)) return record(error);
  if (const cudaError_t error = make_node(node, graph, before, count, type)) return record(error);
  (*node)->operations = std::move(operations);
  keep(*node, *parameters);
  return cudaSuccess;
}

template <class Parameters>
cudaError_t change(cudaGraphNode_t node, cudaGraphNodeType type, const Parameters* parameters) {
  if (!alive(node) || node->type != type || !parameters) return record(cudaErrorInvalidValue);
  if (const cudaError_t error = collect(&node->operations, *parameters)) return record(error);
  keep(node, *parameters);
  return cudaSuccess;
}

/// The step of an executable graph that was made from a node, or null.
cpu_device::GraphStep* step_of(cudaGraphExec_t exec, cudaGraphNode_t node) {
  if (!alive(exec)) return nullptr;
  const auto found = std::find_if(exec->steps.begin(), exec->steps.end(),
                                  [=](const auto& step) { return step.node == node; });
  return found == exec->steps.end() ? nullptr : &*found;
}

template <class Parameters>
cudaError_t change(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeType type,
                   const Parameters* parameters) {
  cpu_device::GraphStep* step = step_of(exec, node);
  if (!step || step->type != type || !parameters) return record(cudaErrorInvalidValue);
  return record(collect(&step->operations, *parameters));
}

}  // namespace

extern "C" {

#define NEW_NODE \
  cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before, size_t count

cudaError_t cudaGraphAddKernelNode(NEW_NODE, const cudaKernelNodeParams* p) {
  if (p && p->extra) return record(cudaErrorNotSupported);
  return add(node, graph, before, count, cudaGraphNodeTypeKernel, p);
}
cudaError_t cudaGraphAddMemcpyNode(NEW_NODE, const cudaMemcpy3DParms* p) {
  return add(node, graph, before, count, cudaGraphNodeTypeMemcpy, p);
}
cudaError_t cudaGraphAddMemcpyNode1D(NEW_NODE, void* target, const void* source, size_t bytes,
                                     cudaMemcpyKind kind) {
  const Copy1D copy{target, source, bytes, kind};
  return add(node, graph, before, count, cudaGraphNodeTypeMemcpy, &copy);
}
cudaError_t cudaGraphAddMemcpyNodeToSymbol(NEW_NODE, const void* symbol, const void* source,
                                           size_t bytes, size_t offset, cudaMemcpyKind kind) {
  void* address = nullptr;
  if (const cudaError_t error = cudaGetSymbolAddress(&address, symbol)) return error;
  return cudaGraphAddMemcpyNode1D(node, graph, before, count, static_cast<char*>(address) + offset,
                                  source, bytes, kind);
}
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(NEW_NODE, void* target, const void* symbol,
                                             size_t bytes, size_t offset, cudaMemcpyKind kind) {
  void* address = nullptr;
  if (const cudaError_t error = cudaGetSymbolAddress(&address, symbol)) return error;
  return cudaGraphAddMemcpyNode1D(node, graph, before, count, target,
                                  static_cast<char*>(address) + offset, bytes, kind);
}
cudaError_t cudaGraphAddMemsetNode(NEW_NODE, const cudaMemsetParams* p) {
  return add(node, graph, before, count, cudaGraphNodeTypeMemset, p);
}
cudaError_t cudaGraphAddHostNode(NEW_NODE, const cudaHostNodeParams* p) {
  return add(node, graph, before, count, cudaGraphNodeTypeHost, p);
}
cudaError_t cudaGraphAddEmptyNode(NEW_NODE) {
  return record(make_node(node, graph, before, count, cudaGraphNodeTypeEmpty));
}
cudaError_t cudaGraphAddChildGraphNode(NEW_NODE, cudaGraph_t child) {
  if (!alive(child)) return record(cudaErrorInvalidValue);
  const cudaError_t error = make_node(node, graph, before, count, cudaGraphNodeTypeGraph);
  if (!error) (*node)->child = cpu_device::clone(*child);
  return record(error);
}
cudaError_t cudaGraphAddEventRecordNode(NEW_NODE, cudaEvent_t event) {
  if (!alive(event)) return record(cudaErrorInvalidResourceHandle);
  const cudaError_t error = make_node(node, graph, before, count, cudaGraphNodeTypeEventRecord);
  if (!error) (*node)->event = event;
  return record(error);
}
cudaError_t cudaGraphAddEventWaitNode(NEW_NODE, cudaEvent_t event) {
  if (!alive(event)) return record(cudaErrorInvalidResourceHandle);
  const cudaError_t error = make_node(node, graph, before, count, cudaGraphNodeTypeWaitEvent);
  if (!error) (*node)->event = event;
  return record(error);
}

// ---- parameters of nodes, and of steps of executable graphs

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* p) {
  const bool kernel = alive(node) && node->type == cudaGraphNodeTypeKernel && node->kernel.func;
  if (!kernel || !p) return record(cudaErrorInvalidValue);
  *p = node->kernel;
  return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* p) {
  return change(node, cudaGraphNodeTypeKernel, p);
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* p) {
  return change(node, cudaGraphNodeTypeMemcpy, p);
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* target, const void* source,
                                           size_t bytes, cudaMemcpyKind kind) {
  const Copy1D copy{target, source, bytes, kind};
  return change(node, cudaGraphNodeTypeMemcpy, &copy);
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* p) {
  return change(node, cudaGraphNodeTypeMemset, p);
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* p) {
  return change(node, cudaGraphNodeTypeHost, p);
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* p) {
  return change(exec, node, cudaGraphNodeTypeKernel, p);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* p) {
  return change(exec, node, cudaGraphNodeTypeMemcpy, p);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               void* target, const void* source, size_t bytes,
                                               cudaMemcpyKind kind) {
  const Copy1D copy{target, source, bytes, kind};
  return change(exec, node, cudaGraphNodeTypeMemcpy, &copy);
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* p) {
  return change(exec, node, cudaGraphNodeTypeMemset, p);
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* p) {
  return change(exec, node, cudaGraphNodeTypeHost, p);
}
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int enabled) {
  cpu_device::GraphStep* step = step_of(exec, node);
  if (!step) return record(cudaErrorInvalidValue);
  step->enabled = enabled != 0;
  return cudaSuccess;
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int* enabled) {
  const cpu_device::GraphStep* step = step_of(exec, node);
  if (!step || !enabled) return record(cudaErrorInvalidValue);
  *enabled = step->enabled;
  return cudaSuccess;
}

}  // extern "C"
