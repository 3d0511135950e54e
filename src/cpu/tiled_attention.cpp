#include "cpu/tiled_attention.h"

#include <tandem/tensor/error.h>

#include <algorithm>
#include <cmath>

#include "cpu/kernel_choice.h"
#include "cpu/scratch.h"

namespace tandem::cpu {
namespace {

// A contiguous row-major matrix of `columns` columns.
Matrix<double> packed(const double* data, std::size_t columns) {
  return {data, static_cast<std::ptrdiff_t>(columns), 1};
}

// output [m, n], packed = left [m, k] x right [k, n]
void multiply_tile(std::size_t m, std::size_t n, std::size_t k,
                   const Matrix<double>& left, const Matrix<double>& right,
                   double* output) {
  if (n == 1) {  // a column is a row of the transposed product
    multiply_on_one_thread({1, m, k, right.transposed(), left.transposed(),
                            output, static_cast<std::ptrdiff_t>(m)},
                           best_kernels());
  } else {
    multiply_on_one_thread(
        {m, n, k, left, right, output, static_cast<std::ptrdiff_t>(n)},
        best_kernels());
  }
}

void add_to(double* sum, const double* terms, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sum[i] += terms[i];
}

// A piece of the matrix of queries by keys.
struct Tile {
  std::size_t first_query;
  std::size_t queries;
  std::size_t first_key;
  std::size_t keys;

  // How many of the tile's keys this row of it may see.
  std::size_t legal_keys(std::size_t row) const {
    const std::size_t seen = first_query + row + 1;
    return seen <= first_key ? 0 : std::min(seen - first_key, keys);
  }
  std::size_t size() const { return queries * keys; }
};

double scale_of(const AttentionLane& lane) {
  return 1.0 / std::sqrt(static_cast<double>(lane.width));
}

// scores [queries, keys], not yet scaled
void score(const AttentionLane& lane, const Tile& tile, double* scores) {
  multiply_tile(tile.queries, tile.keys, lane.width,
                lane.query.from(tile.first_query, 0),
                lane.key.from(tile.first_key, 0).transposed(), scores);
}

// What the keys seen so far have come to for one query row.
struct RunningSoftmax {
  double maximum = 0.0;
  double sum = 0.0;  // of exp(score - maximum); 0 before the first key

  // Turns the row's scores into exp(score - new maximum), and gives what the
  // old sums are to be multiplied by.
  double admit(double* scores, std::size_t count, double scale);
};

double RunningSoftmax::admit(double* scores, std::size_t count, double scale) {
  for (std::size_t i = 0; i < count; ++i) scores[i] *= scale;
  double greatest = *std::max_element(scores, scores + count);
  const bool first = sum == 0.0;
  if (!first) greatest = std::max(greatest, maximum);
  const double shrink = first ? 0.0 : std::exp(maximum - greatest);
  double added = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    scores[i] = std::exp(scores[i] - greatest);
    added += scores[i];
  }
  maximum = greatest;
  sum = shrink * sum + added;
  return shrink;
}

// Query rows [begin, end) on their way over the keys.
class ForwardRows {
 public:
  ForwardRows(const AttentionLane& lane, std::size_t begin, std::size_t end,
              std::size_t key_rows, double* output)
      : lane_(lane),
        begin_(begin),
        rows_(end - begin),
        output_(output + begin * lane.value_width),
        running_(running_memory_.reserve(rows_)),
        weights_(weights_memory_.reserve(rows_ * key_rows)),
        mixed_(mixed_memory_.reserve(rows_ * lane.value_width)) {
    std::fill_n(running_, rows_, RunningSoftmax{});
    std::fill_n(output_, rows_ * lane.value_width, 0.0);
  }

  void visit(std::size_t first_key, std::size_t keys) {
    const Tile tile{begin_, rows_, first_key, keys};
    const std::size_t width = lane_.value_width;
    score(lane_, tile, weights_);
    for (std::size_t row = 0; row < rows_; ++row) weigh(tile, row);
    multiply_tile(rows_, width, keys, packed(weights_, keys),
                  lane_.value.from(first_key, 0), mixed_);
    add_to(output_, mixed_, rows_ * width);
  }

  void finish(double* logs, std::size_t first_row) {
    for (std::size_t row = 0; row < rows_; ++row) {
      const auto& [maximum, sum] = running_[row];
      if (!std::isfinite(maximum) || !std::isfinite(sum)) {
        throw NonfiniteError("tiled_attention", first_row + begin_ + row,
                             std::isfinite(maximum) ? sum : maximum,
                             "greatest score of row");
      }
      double* out = output_ + row * lane_.value_width;
      for (std::size_t i = 0; i < lane_.value_width; ++i) out[i] /= sum;
      logs[begin_ + row] = maximum + std::log(sum);
    }
  }

 private:
  // Makes weights of a row's scores. What the row may not see weighs nothing;
  // a tile without a legal key changes nothing.
  void weigh(const Tile& tile, std::size_t row) {
    double* weights = weights_ + row * tile.keys;
    const std::size_t legal = tile.legal_keys(row);
    std::fill(weights + legal, weights + tile.keys, 0.0);
    if (legal == 0) return;
    const double shrink = running_[row].admit(weights, legal, scale_of(lane_));
    if (shrink == 1.0) return;
    double* out = output_ + row * lane_.value_width;
    for (std::size_t i = 0; i < lane_.value_width; ++i) out[i] *= shrink;
  }

  const AttentionLane& lane_;
  const std::size_t begin_;
  const std::size_t rows_;
  double* const output_;
  Scratch<RunningSoftmax> running_memory_;
  Scratch<double> weights_memory_;
  Scratch<double> mixed_memory_;
  RunningSoftmax* const running_;
  double* const weights_;  // [rows, keys]
  double* const mixed_;    // [rows, value width]
};

// Works through a lane's tiles backward, with memory for one tile.
class ReverseTiles {
 public:
  ReverseTiles(const AttentionLane& lane, const AttentionUpstream& upstream,
               const AttentionGradients& gradients, std::size_t query_rows,
               std::size_t key_rows)
      : lane_(lane),
        upstream_(upstream),
        gradients_(gradients),
        dots_(dots_memory_.reserve(lane.tokens)),
        weights_(weights_memory_.reserve(query_rows * key_rows)),
        slopes_(slopes_memory_.reserve(query_rows * key_rows)),
        terms_(terms_memory_.reserve(std::max(query_rows, key_rows) *
                                     std::max(lane.width, lane.value_width))) {
    for (std::size_t row = 0; row < lane.tokens; ++row) dots_[row] = dot(row);
  }

  void visit(const Tile& tile) {
    score(lane_, tile, weights_);
    multiply_tile(tile.queries, tile.keys, lane_.value_width,
                  upstream_.gradient.from(tile.first_query, 0),
                  lane_.value.from(tile.first_key, 0).transposed(), slopes_);
    for (std::size_t row = 0; row < tile.queries; ++row)
      differentiate(tile, row);
    add_value_gradient(tile);
    add_query_gradient(tile);
    add_key_gradient(tile);
  }

 private:
  // The upstream gradient times the output, over one row.
  double dot(std::size_t row) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < lane_.value_width; ++i) {
      sum += *upstream_.gradient.at(row, i) * *upstream_.output.at(row, i);
    }
    return sum;
  }

  // Scores become weights P; G v becomes P (G v - D), times the scale.
  void differentiate(const Tile& tile, std::size_t row) {
    double* weights = weights_ + row * tile.keys;
    double* slopes = slopes_ + row * tile.keys;
    const std::size_t legal = tile.legal_keys(row);
    const double scale = scale_of(lane_);
    const double log = *upstream_.logs.at(tile.first_query + row, 0);
    const double dot = dots_[tile.first_query + row];
    for (std::size_t i = 0; i < legal; ++i) {
      weights[i] = std::exp(weights[i] * scale - log);
      slopes[i] = weights[i] * (slopes[i] - dot) * scale;
    }
    std::fill(weights + legal, weights + tile.keys, 0.0);
    std::fill(slopes + legal, slopes + tile.keys, 0.0);
  }

  void add_value_gradient(const Tile& tile) {
    const std::size_t width = lane_.value_width;
    multiply_tile(tile.keys, width, tile.queries,
                  packed(weights_, tile.keys).transposed(),
                  upstream_.gradient.from(tile.first_query, 0), terms_);
    add_to(gradients_.value + tile.first_key * width, terms_,
           tile.keys * width);
  }

  void add_query_gradient(const Tile& tile) {
    const std::size_t width = lane_.width;
    multiply_tile(tile.queries, width, tile.keys, packed(slopes_, tile.keys),
                  lane_.key.from(tile.first_key, 0), terms_);
    add_to(gradients_.query + tile.first_query * width, terms_,
           tile.queries * width);
  }

  void add_key_gradient(const Tile& tile) {
    const std::size_t width = lane_.width;
    multiply_tile(tile.keys, width, tile.queries,
                  packed(slopes_, tile.keys).transposed(),
                  lane_.query.from(tile.first_query, 0), terms_);
    add_to(gradients_.key + tile.first_key * width, terms_, tile.keys * width);
  }

  const AttentionLane& lane_;
  const AttentionUpstream& upstream_;
  const AttentionGradients& gradients_;
  Scratch<double> dots_memory_;
  Scratch<double> weights_memory_;
  Scratch<double> slopes_memory_;
  Scratch<double> terms_memory_;
  double* const dots_;     // [tokens]
  double* const weights_;  // [queries, keys] of a tile
  double* const slopes_;   // [queries, keys] of a tile
  double* const terms_;    // [queries or keys, width] of a tile
};

}  // namespace

void attend(const AttentionLane& lane, std::size_t begin, std::size_t end,
            std::size_t key_rows, double* output, double* logs,
            std::size_t first_row) {
  key_rows = std::min(key_rows, end);  // later keys are hidden from every row
  ForwardRows rows(lane, begin, end, key_rows, output);
  for (std::size_t key = 0; key < end; key += key_rows) {
    rows.visit(key, std::min(key_rows, end - key));
  }
  rows.finish(logs, first_row);
}

void attend_reverse(const AttentionLane& lane,
                    const AttentionUpstream& upstream, std::size_t query_rows,
                    std::size_t key_rows, const AttentionGradients& gradients) {
  const std::size_t tokens = lane.tokens;
  query_rows = std::min(query_rows, tokens);
  key_rows = std::min(key_rows, tokens);
  ReverseTiles tiles(lane, upstream, gradients, query_rows, key_rows);
  for (std::size_t query = 0; query < tokens; query += query_rows) {
    const std::size_t end = std::min(query + query_rows, tokens);
    for (std::size_t key = 0; key < end; key += key_rows) {
      tiles.visit({query, end - query, key, std::min(key_rows, end - key)});
    }
  }
}

}  // namespace tandem::cpu
