// Everything of the library in one include.
#pragma once

#include <tandem/autograd/function.h>
#include <tandem/autograd/functions.h>
#include <tandem/autograd/parameter.h>
#include <tandem/compare/comparison.h>
#include <tandem/compare/distribution.h>
#include <tandem/compare/snapshot.h>
#include <tandem/execution/devices.h>
#include <tandem/execution/functions.h>
#include <tandem/execution/operation_check.h>
#include <tandem/nn/decoder.h>
#include <tandem/nn/decoder_session.h>
#include <tandem/nn/file.h>
#include <tandem/nn/generation.h>
#include <tandem/nn/model_directory.h>
#include <tandem/nn/safetensors.h>
#include <tandem/tensor/error.h>
#include <tandem/tensor/float16.h>
#include <tandem/tensor/traversal.h>
#include <tandem/text/byte_pair_tokenizer.h>
#include <tandem/text/tokenizer.h>
#include <tandem/version.h>
