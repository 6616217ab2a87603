/**
 * Adds a batch of counts to the window that is open by Redis's own clock, so that all replicas agree on it, and so that
 * nothing is ever added to a window that has closed. A batch that comes twice, because the answer to the first was lost,
 * counts once.
 *
 * KEYS: what all keys start with
 * ARGV: replica, number of the batch, ms of a window, ms that a window is kept, ms that a replica is remembered, and
 *       then, for each row: its name, the number of its fields, and each field with its amount
 * Returns the number of the window, and that of the last batch that this replica had added before.
 */
export const ADD_COUNTS_SCRIPT = `
local prefix, replica, batch, windowMs, keptMs, replicaMs = KEYS[1], unpack(ARGV, 1, 5)
local time = redis.call('TIME')
local window = math.floor((time[1] * 1000 + math.floor(time[2] / 1000)) / windowMs)
local lastKey = prefix .. ':batch:' .. replica
local last = tonumber(redis.call('GET', lastKey) or 0)
if tonumber(batch) > last then
  local windowKey = string.format('%s:window:%.0f', prefix, window)
  local at = 6
  while at <= #ARGV do
    local row, fields = ARGV[at], tonumber(ARGV[at + 1])
    local rowKey = windowKey .. ':' .. row
    for field = at + 2, at + 2 * fields, 2 do
      redis.call('HINCRBY', rowKey, ARGV[field], ARGV[field + 1])
    end
    redis.call('PEXPIRE', rowKey, keptMs)
    redis.call('SADD', windowKey, row)
    at = at + 2 + 2 * fields
  end
  redis.call('PEXPIRE', windowKey, keptMs)
  redis.call('SET', lastKey, batch, 'PX', replicaMs)
end
return { window, last }
`;
