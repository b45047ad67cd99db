/// @file
/// Graphs: nodes that hold operations, and edges that say which come first.
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <optional>
#include <vector>

#include "queue.h"

struct CUgraphNode_st {
  CUgraph_st* graph = nullptr;
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  std::vector<CUgraphNode_st*> before;             ///< the nodes that it depends on
  std::vector<cpu_device::Operation> operations;   ///< one; of a copy of slices, several
  cudaEvent_t event = nullptr;                     ///< to record or to wait for
  std::unique_ptr<CUgraph_st> child;               ///< of a node that stands for a graph
  const CUgraphNode_st* original = nullptr;        ///< of which it is a clone
  cudaKernelNodeParams kernel{};                   ///< its argument list lies in ...
  std::vector<std::vector<char>> argument_values;  ///< ... these copies
  std::vector<void*> arguments;
};

struct CUgraph_st {
  ~CUgraph_st();
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;  ///< in the order in which they were added
};

namespace cpu_device {

/// A node of an executable graph.
struct GraphStep {
  const CUgraphNode_st* node;  ///< from which it was made: a key, perhaps destroyed since
  cudaGraphNodeType type;
  std::vector<Operation> operations;
  cudaEvent_t event;
  std::vector<size_t> before;  ///< places of the steps that it depends on
  bool enabled = true;
};

CUgraphNode_st* add_node(CUgraph_st& graph, cudaGraphNodeType type);
std::unique_ptr<CUgraph_st> clone(const CUgraph_st& graph);
/// The graph's nodes, those of child graphs among them, in an order that respects the edges; none
/// when the edges make a cycle. Of nodes that nothing orders the newest goes first, so that a
/// forgotten edge shows.
std::optional<std::vector<GraphStep>> steps_of(const CUgraph_st& graph);

}  // namespace cpu_device

struct CUgraphExec_st {
  std::vector<cpu_device::GraphStep> steps;
};
