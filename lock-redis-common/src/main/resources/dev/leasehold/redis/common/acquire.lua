-- Acquires a lock if it is free, reserved for the token, or already the token's, and draws its fence. Preceded by
-- marks.lua, take-set.lua or take-setnx.lua, which set 'taken' if the lock was free, perhaps draw.lua, and numbers.lua;
-- followed by fence.lua.
--
-- KEYS[1] lock   KEYS[2] fence   KEYS[3] waiters
-- ARGV[1] token  ARGV[2] time to live, ms
-- ARGV[3] '0' or missing: does not queue   '1': queues if refused   '2': may already be queued, does not queue
--         '3': may already be queued, and queues if refused
-- ARGV[4] how many numbers after the fence to set aside for hand-overs; may be missing
-- ARGV[5] waiter: "store:token", usually of this token; this request takes that waiter's turn   (if it queues)
-- ARGV[6] time to live of the queue, ms   (not with '0')
-- ARGV[7] how long it has been waiting, microseconds: gives its place in the queue   (not with '0'). 10^15, longer
-- than any waiter, from a client that has a majority of a quorum: this node's reservations do not hold it up
-- ARGV[8] the fence proposed to a node of a quorum; may be missing or ''
-- ARGV[9] PUBLISH or SPUBLISH, if a refusal recalls the lease; anything else, or missing, if not
-- ARGV[10] channel prefix   ARGV[11] message, as in pass.lua   (only with such an ARGV[9])
--
-- A recall asks the manager that has the lease to give it back: see recall.lua. Its channel is the prefix and the store
-- that ends the token; the token follows the message, if there is one, and a blank. It is sent from here to save the
-- client that is refused a round trip. If it fails (an ACL may forbid the channel) or there is no subscriber, the
-- refusal is the same as without: then the client sends it.
--
-- Reply: -1 - p if another token holds the lock for p more ms (1000 if it has no time to live), that token, if its lease
-- can be recalled ('~' and a store's id end it), or '', how many waiters are ahead, if ten or more, but not on a node of
-- a quorum, or 0, and 1 if the lease was recalled; what is missing at the end was not. If granted, as in fence.lua. A
-- token that already has the lock keeps the longer of the two times to live: a client's retry may arrive after a renewal.
local asked = tonumber(ARGV[4] or 0)
local proposed = tonumber(ARGV[8] or 0) or 0
if not taken then
  local value = redis.call('GET', KEYS[1])
  local held = unmarked(value)
  local me = ARGV[5] and string.match(ARGV[5], '^[^:]*:?(.*)') or ARGV[1]
  if held == '+' .. me then
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) -- pass-on.lua kept it
    taken = true
  elseif held and string.sub(held, 1, 1) == '+' and tonumber(ARGV[7] or 0) >= 1000000000000000 then
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) -- it is kept for one that can't have most nodes
    taken = true
  elseif held ~= ARGV[1] then
    local ahead
    if ARGV[3] == '1' or ARGV[3] == '3' then
      local t = redis.call('TIME')
      local at = t[1] * 1000000 + t[2] - ARGV[7]
      -- The same on all nodes of a quorum, or each would wake a different waiter first.
      if proposed > 0 then at = proposed - ARGV[7] end
      if tonumber(ARGV[8]) then
        -- If two requests give different places, one was delayed: the earlier place is right, on all nodes.
        redis.call('ZADD', KEYS[3], 'LT', string.format('%.0f', at), ARGV[5])
      elseif ARGV[3] == '1' then
        redis.call('ZADD', KEYS[3], 'NX', string.format('%.0f', at), ARGV[5])
      else
        -- Set anew each time: a delayed request placed the waiter too far back.
        redis.call('ZADD', KEYS[3], string.format('%.0f', at), ARGV[5])
      end
      redis.call('PEXPIRE', KEYS[3], ARGV[6])
      if held and held == value and may_mark(held) and string.find(held, '^[^+-]') then mark(KEYS[1], held) end
      if proposed == 0 then ahead = redis.pcall('ZRANK', KEYS[3], ARGV[5]) end
    end
    ahead = type(ahead) == 'number' and ahead >= 10 and ahead or nil
    local left = redis.call('PTTL', KEYS[1])
    if left == -1 then left = 1000 elseif left < 0 then left = 0 end
    if held and string.find(held, '^[^+-].*~') then
      if string.find(ARGV[9] or '', '^S?PUBLISH$') then
        local message = (ARGV[11] == '' and '' or ARGV[11] .. ' ') .. held
        local heard = redis.pcall(ARGV[9], ARGV[10] .. string.match(held, '^.*~(.*)$'), message)
        if type(heard) == 'number' and heard > 0 then return { -1 - left, held, ahead or 0, 1 } end
      end
      return { -1 - left, held, ahead }
    end
    return ahead and { -1 - left, '', ahead } or -1 - left
  else
    -- Written even if it is as long already, so that WAIT has a write to wait for.
    redis.call('PEXPIRE', KEYS[1], math.max(redis.call('PTTL', KEYS[1]), ARGV[2]))
  end
end
if ARGV[3] == '2' or ARGV[3] == '3' then
  redis.pcall('ZREM', KEYS[3], ARGV[5])
end
if taken and may_mark(ARGV[1]) and redis.call('EXISTS', KEYS[3]) == 1 then mark(KEYS[1], ARGV[1]) end
