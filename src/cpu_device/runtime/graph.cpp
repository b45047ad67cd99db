#include "graph.h"

#include <algorithm>
#include <map>

#include "handles.h"

CUgraph_st::~CUgraph_st() {
  for (const auto& node : nodes) cpu_device::forget(node.get());
}

namespace cpu_device {

CUgraphNode_st* add_node(CUgraph_st& graph, cudaGraphNodeType type) {
  graph.nodes.push_back(std::make_unique<CUgraphNode_st>());
  CUgraphNode_st* node = graph.nodes.back().get();
  node->graph = &graph;
  node->type = type;
  remember(node);
  return node;
}

std::unique_ptr<CUgraph_st> clone(const CUgraph_st& graph) {
  auto result = std::make_unique<CUgraph_st>();
  std::map<const CUgraphNode_st*, CUgraphNode_st*> copies;
  for (const auto& node : graph.nodes) {
    CUgraphNode_st* copy = add_node(*result, node->type);
    copies[node.get()] = copy;
    copy->operations = node->operations;
    copy->event = node->event;
    copy->original = node.get();
    copy->kernel = node->kernel;
    copy->argument_values = node->argument_values;
    for (auto& value : copy->argument_values) copy->arguments.push_back(value.data());
    copy->kernel.kernelParams = copy->arguments.data();
    if (node->child) copy->child = clone(*node->child);
  }
  for (const auto& node : graph.nodes) {
    for (const CUgraphNode_st* before : node->before) {
      copies[node.get()]->before.push_back(copies[before]);
    }
  }
  return result;
}

namespace {

/// Appends the steps of `graph`, all of which come after `first`, and their places to *all; false
/// when some can never be reached.
bool append(const CUgraph_st& graph, const std::vector<size_t>& first,
            std::vector<GraphStep>* steps, std::vector<size_t>* all) {
  std::map<const CUgraphNode_st*, std::vector<size_t>> places;  // of the nodes that are done
  const auto ready = [&](const auto& node) {
    return !places.count(node.get()) &&
           std::all_of(node->before.begin(), node->before.end(),
                       [&](const CUgraphNode_st* each) { return places.count(each) != 0; });
  };
  for (;;) {
    const auto next = std::find_if(graph.nodes.rbegin(), graph.nodes.rend(), ready);
    if (next == graph.nodes.rend()) return places.size() == graph.nodes.size();
    const CUgraphNode_st& node = **next;
    std::vector<size_t> before = first;
    for (const CUgraphNode_st* each : node.before) {
      before.insert(before.end(), places[each].begin(), places[each].end());
    }
    std::vector<size_t>& mine = places[&node];
    if (node.child) {
      if (!append(*node.child, before, steps, &mine)) return false;
      if (mine.empty()) mine = before;  // an empty graph
    } else {
      mine.push_back(steps->size());
      steps->push_back({&node, node.type, node.operations, node.event, std::move(before)});
    }
    all->insert(all->end(), mine.begin(), mine.end());
  }
}

}  // namespace

std::optional<std::vector<GraphStep>> steps_of(const CUgraph_st& graph) {
  std::vector<GraphStep> steps;
  std::vector<size_t> all;
  if (!append(graph, {}, &steps, &all)) return std::nullopt;
  return steps;
}

}  // namespace cpu_device
