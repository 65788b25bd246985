-- The end of an acquisition of a read/write lock: draws its fence. After readwrite.lua and numbers.lua.
--
-- KEYS[5] fences
-- ARGV[14] how many numbers after the fence to set aside for a writer's hand-overs
-- ARGV[15] the fence proposed to a node of a quorum, or 0; may be missing
--
-- Reply: the fence V; if numbers were requested, V and how many there are. A writer's is larger than all before it:
-- max(fence + 1, server time in microseconds), and both counters become V + r. A reader's is larger than the last
-- writer's and smaller than the next one's: wfence + 1, or the time if there is no wfence; readers may share one. A
-- token that already has the lock gets the last number drawn, and none after it. Either is at least the proposed one,
-- as far as that is no more than a second ahead of the server.
local function granted(mode, fresh)
  local fences = redis.call('HMGET', KEYS[5], 'fence', 'wfence')
  local last, written = last_number(fences[1]), last_number(fences[2])
  if (fences[1] and (not last or last >= most)) or (fences[2] and (not written or written >= most)) then
    if fresh then drop(mode, ARGV[1], '') end
    return redis.error_reply('ERR ' .. KEYS[5] .. ' has no fences')
  end
  local time = clock[1] * 1000000 + clock[2]
  local asked = mode == 'w' and tonumber(ARGV[14]) or 0
  local proposed = not_ahead(tonumber(ARGV[15] or 0), time)
  local v, r = 0, 0
  if mode == 'r' then
    if not written then written = time - 1 end
    v = math.max(written + 1, proposed)
    last = math.max(last or 0, v)
  elseif fresh then
    v, r = next_numbers(last, time, proposed, asked)
    last = v + r
    written = v + r
  else
    v = math.max(last or time, proposed)
    last = v
    written = v
  end
  redis.call('HSET', KEYS[5], 'fence', fence_text(last, 0), 'wfence', fence_text(written, 0))
  redis.call('PEXPIRE', KEYS[5], 86400000)
  if asked > 0 then return { v, r } end
  return v
end
