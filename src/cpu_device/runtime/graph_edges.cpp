/// @file
/// Graphs as structures: making, cloning and destroying them; nodes and edges, added and listed.
#include <cuda_runtime.h>

#include <algorithm>
#include <fstream>

#include "errors.h"
#include "handles.h"

namespace {

using cpu_device::alive;
using cpu_device::record;
using Nodes = std::vector<cudaGraphNode_t>;

/// Hands a list to the caller: into *nodes, which has room for *count; or only how many they are.
cudaError_t give(const Nodes& found, cudaGraphNode_t* nodes, size_t* count) {
  if (!count) return record(cudaErrorInvalidValue);
  for (size_t i = 0; nodes && i < *count; ++i) nodes[i] = i < found.size() ? found[i] : nullptr;
  *count = nodes ? std::min(*count, found.size()) : found.size();
  return cudaSuccess;
}

bool has_edge(cudaGraphNode_t from, cudaGraphNode_t to) {
  return std::find(to->before.begin(), to->before.end(), from) != to->before.end();
}

/// Are these pairs of nodes of the graph, whose edges are there (or not there)?
bool valid_edges(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                 size_t count, bool there) {
  if (!alive(graph) || (count && (!from || !to))) return false;
  for (size_t i = 0; i < count; ++i) {
    if (!alive(from[i]) || !alive(to[i]) || from[i]->graph != graph || to[i]->graph != graph ||
        from[i] == to[i] || has_edge(from[i], to[i]) != there) {
      return false;
    }
  }
  return true;
}

const char* name_of(cudaGraphNodeType type) {
  static const char* const names[] = {"kernel", "copy",  "fill",         "host function",
                                      "graph",  "empty", "event waited", "event recorded"};
  return names[type];
}

}  // namespace

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!graph || flags) return record(cudaErrorInvalidValue);
  *graph = cpu_device::make<CUgraph_st>();
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return cpu_device::destroy(graph, cudaErrorInvalidValue);
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t original) {
  if (!clone || !alive(original)) return record(cudaErrorInvalidValue);
  *clone = cpu_device::clone(*original).release();
  cpu_device::remember(*clone);
  return cudaSuccess;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original,
                                     cudaGraph_t clone) {
  if (!node || !alive(clone)) return record(cudaErrorInvalidValue);
  for (const auto& each : clone->nodes) {
    if (each->original != original) continue;
    *node = each.get();
    return cudaSuccess;
  }
  return record(cudaErrorInvalidValue);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  if (!alive(node)) return record(cudaErrorInvalidValue);
  cpu_device::forget(node);
  auto& nodes = node->graph->nodes;
  for (const auto& each : nodes) std::erase(each->before, node);
  std::erase_if(nodes, [=](const auto& each) { return each.get() == node; });
  return cudaSuccess;
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  if (!graph || !alive(node) || !node->child) return record(cudaErrorInvalidValue);
  *graph = node->child.get();
  return cudaSuccess;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  if (!type || !alive(node)) return record(cudaErrorInvalidValue);
  *type = node->type;
  return cudaSuccess;
}

// ---- edges

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                     size_t count) {
  if (!valid_edges(graph, from, to, count, false)) return record(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; ++i) to[i]->before.push_back(from[i]);
  return cudaSuccess;
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        size_t count) {
  if (!valid_edges(graph, from, to, count, true)) return record(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; ++i) std::erase(to[i]->before, from[i]);
  return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  if (!alive(graph)) return record(cudaErrorInvalidValue);
  Nodes all;
  for (const auto& node : graph->nodes) all.push_back(node.get());
  return give(all, nodes, count);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  if (!alive(graph)) return record(cudaErrorInvalidValue);
  Nodes roots;
  for (const auto& node : graph->nodes) {
    if (node->before.empty()) roots.push_back(node.get());
  }
  return give(roots, nodes, count);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData*, size_t* count) {
  if (!alive(graph) || !from != !to) return record(cudaErrorInvalidValue);
  Nodes sources, targets;
  for (const auto& node : graph->nodes) {
    for (CUgraphNode_st* before : node->before) {
      sources.push_back(before);
      targets.push_back(node.get());
    }
  }
  size_t room = count ? *count : 0;
  if (const cudaError_t error = give(sources, from, count)) return error;
  return give(targets, to, from ? &room : count);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                         cudaGraphEdgeData*, size_t* count) {
  if (!alive(node)) return record(cudaErrorInvalidValue);
  return give(node->before, nodes, count);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                           cudaGraphEdgeData*, size_t* count) {
  if (!alive(node)) return record(cudaErrorInvalidValue);
  Nodes dependent;
  for (const auto& each : node->graph->nodes) {
    if (has_edge(node, each.get())) dependent.push_back(each.get());
  }
  return give(dependent, nodes, count);
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int) {
  if (!alive(graph) || !path) return record(cudaErrorInvalidValue);
  std::ofstream file(path);
  const auto number = [&](const CUgraphNode_st* node) {
    return std::find_if(graph->nodes.begin(), graph->nodes.end(),
                        [=](const auto& each) { return each.get() == node; }) -
           graph->nodes.begin();
  };
  file << "digraph graph_of_nodes {\n";
  for (const auto& node : graph->nodes) {
    file << "  n" << number(node.get()) << " [label=\"" << name_of(node->type) << "\"]\n";
    for (const CUgraphNode_st* before : node->before) {
      file << "  n" << number(before) << " -> n" << number(node.get()) << "\n";
    }
  }
  file << "}\n";
  return record(file ? cudaSuccess : cudaErrorUnknown);
}

}  // extern "C"
