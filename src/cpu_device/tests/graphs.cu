// Graphs made node by node: edges, parameters, updates, clones, child graphs, events.
#include <cstdio>
#include <cstring>

#define SAY(call) std::printf("%s: %s\n", #call, cudaGetErrorName(call))

__constant__ int factor;

__global__ void scale(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= factor;
}
__global__ void add(int* data, int value) {
  data[threadIdx.x] += value;
}

int calls = 0;
void count(void* step) {
  calls += *static_cast<int*>(step);
}

constexpr int kCount = 4;
int* data;
int result[kCount];

void launch(const char* what, cudaGraphExec_t exec) {
  std::memset(result, 0, sizeof result);
  if (cudaGraphLaunch(exec, 0) != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) {
    std::printf("failed: ");
  }
  std::printf("%s: %d %d %d %d, %d calls\n", what, result[0], result[1], result[2], result[3],
              calls);
}

int main(int argc, char**) {
  int by_three = 3, one = 1, ten = 10, n = kCount;
  cudaMalloc(&data, sizeof result);

  cudaGraph_t graph;
  cudaGraphNode_t fill, to_symbol, adding, scaling, back, note;
  SAY(cudaGraphCreate(&graph, 0));
  // In an order that the edges contradict.
  const cudaHostNodeParams host{count, &one};
  SAY(cudaGraphAddHostNode(&note, graph, nullptr, 0, &host));
  SAY(cudaGraphAddMemcpyNode1D(&back, graph, nullptr, 0, result, data, sizeof result,
                               cudaMemcpyDeviceToHost));
  void* scale_arguments[] = {&data, &n};
  cudaKernelNodeParams kernel{};
  kernel.func = reinterpret_cast<void*>(scale);
  kernel.gridDim = dim3(2);
  kernel.blockDim = dim3(2);
  kernel.kernelParams = scale_arguments;
  SAY(cudaGraphAddKernelNode(&scaling, graph, nullptr, 0, &kernel));
  void* add_arguments[] = {&data, &ten};
  kernel.func = reinterpret_cast<void*>(add);
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(3);
  kernel.kernelParams = add_arguments;
  cudaMemsetParams memset{};
  memset.dst = data;
  memset.value = 2;
  memset.elementSize = 4;
  memset.width = kCount;
  memset.height = 1;
  SAY(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &memset));
  SAY(cudaGraphAddKernelNode(&adding, graph, &fill, 1, &kernel));
  SAY(cudaGraphAddMemcpyNodeToSymbol(&to_symbol, graph, nullptr, 0, factor, &by_three,
                                     sizeof factor, 0, cudaMemcpyHostToDevice));
  const cudaGraphNode_t from[] = {adding, to_symbol, scaling, back};
  const cudaGraphNode_t to[] = {scaling, scaling, back, note};
  SAY(cudaGraphAddDependencies(graph, from, to, nullptr, 4));
  SAY(cudaGraphAddDependencies(graph, from, to, nullptr, 1));  // it is there already
  ten = 99;                                                    // the node has a copy

  size_t nodes = 0, roots = 0, edges = 0, before = 0, after = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphGetRootNodes(graph, nullptr, &roots);
  cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges);
  cudaGraphNodeGetDependencies(scaling, nullptr, nullptr, &before);
  cudaGraphNodeGetDependentNodes(scaling, nullptr, nullptr, &after);
  cudaGraphNodeType type;
  cudaGraphNodeGetType(fill, &type);
  std::printf("%zu nodes, %zu roots, %zu edges, %zu before, %zu after, type %d\n", nodes, roots,
              edges, before, after, type);

  cudaGraphExec_t exec;
  SAY(cudaGraphInstantiate(&exec, graph));
  launch("graph", exec);
  launch("again", exec);

  // Other arguments in the executable graph; a disabled node.
  cudaKernelNodeParams changed;
  SAY(cudaGraphKernelNodeGetParams(adding, &changed));
  std::printf("its argument %d, block %u\n", *static_cast<int*>(changed.kernelParams[1]),
              changed.blockDim.x);
  changed.blockDim = dim3(4);
  SAY(cudaGraphExecKernelNodeSetParams(exec, adding, &changed));
  launch("four threads", exec);
  SAY(cudaGraphNodeSetEnabled(exec, scaling, 0));
  launch("without scaling", exec);
  SAY(cudaGraphNodeSetEnabled(exec, scaling, 1));

  // A clone, changed, updates the executable graph; another shape does not.
  cudaGraph_t clone;
  cudaGraphNode_t in_clone;
  SAY(cudaGraphClone(&clone, graph));
  SAY(cudaGraphNodeFindInClone(&in_clone, fill, clone));
  memset.value = 5;
  SAY(cudaGraphMemsetNodeSetParams(in_clone, &memset));
  cudaGraphExecUpdateResultInfo info;
  SAY(cudaGraphExecUpdate(exec, clone, &info));
  launch("updated", exec);
  SAY(cudaGraphNodeFindInClone(&in_clone, note, clone));
  SAY(cudaGraphDestroyNode(in_clone));
  SAY(cudaGraphExecUpdate(exec, clone, &info));
  std::printf("result %d\n", info.result);
  SAY(cudaGraphExecDestroy(exec));

  // A graph in a graph, between events; a cycle.
  cudaGraph_t outer;
  cudaGraphNode_t start, inner, stop, last;
  cudaEvent_t events[2];
  for (cudaEvent_t& event : events) cudaEventCreate(&event);
  SAY(cudaGraphCreate(&outer, 0));
  SAY(cudaGraphAddEventRecordNode(&start, outer, nullptr, 0, events[0]));
  SAY(cudaGraphAddChildGraphNode(&inner, outer, &start, 1, graph));
  SAY(cudaGraphAddEventRecordNode(&stop, outer, &inner, 1, events[1]));
  SAY(cudaGraphAddEmptyNode(&last, outer, &stop, 1));
  SAY(cudaGraphInstantiate(&exec, outer));
  launch("child", exec);
  float time = -1;
  SAY(cudaEventElapsedTime(&time, events[0], events[1]));
  std::printf("time %d\n", time >= 0);
  SAY(cudaGraphAddDependencies(outer, &last, &start, nullptr, 1));
  cudaGraphExec_t never;
  SAY(cudaGraphInstantiate(&never, outer));
  SAY(cudaGraphDestroy(outer));

  // What nothing orders: on the CPU device the fill that was added last is performed first.
  cudaGraph_t loose;
  SAY(cudaGraphCreate(&loose, 0));
  for (const unsigned value : {1u, 2u}) {
    memset.value = value;
    cudaGraphAddMemsetNode(&fill, loose, nullptr, 0, &memset);
  }
  cudaGraphExec_t loose_exec;
  SAY(cudaGraphInstantiate(&loose_exec, loose));
  SAY(cudaGraphLaunch(loose_exec, 0));
  cudaMemcpy(result, data, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("unordered %s\n", result[0] == 1 || result[0] == 2 ? "fills" : "?");
  if (argc > 1) std::printf("%d\n", result[0]);
}
