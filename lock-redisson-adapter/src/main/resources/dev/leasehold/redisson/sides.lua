-- The data of an RReadWriteLock, for the scripts of its two sides.
--
-- KEYS[1] lock: a hash, 'mode' -> 'read' or 'write', holder -> hold count; without a mode it is an RLock's
-- KEYS[2] prefix of the keys of ends: such a key lives for as long as the hold, and its last part is the
--         holder's count at that time: KEYS[2]:<holder>:rwlock_timeout:<count>
--
-- A reader is <uuid>:<thread>, or a token of ours; a writer has ':write' appended, and may read too. The lock's time to
-- live is the longest hold's. Redisson's writers have no end of their own; ours do, so that their readers do not
-- prolong them.

-- For how many ms a holder still has the lock, math.huge if for ever; below 0 if its hold has expired.
local function left(holder, count)
  local longest = -2
  local thread = string.match(holder, ':%-?(%d+):write$')
  if thread and #thread < 21 then
    longest = redis.call('PTTL', KEYS[1])
    if longest == -1 then return math.huge end
  else
    for i = tonumber(count) or 0, 1, -1 do
      local rest = redis.call('PTTL', KEYS[2] .. ':' .. holder .. ':rwlock_timeout:' .. i)
      if rest == -1 then return math.huge end
      longest = math.max(longest, rest)
    end
  end
  return longest
end

-- Removes holders whose holds have expired, which their own client would not do before the last one leaves, and the
-- lock with the last of them. Returns the mode, false if there is no holder; and for how many ms all of them together
-- have the lock, and for how many the writer.
--
-- always: sets the lock's time to live to the longest hold's even if no hold had expired
local function sweep(always)
  local mode, longest, writing, gone = false, -2, -2, {}
  local all = redis.call('HGETALL', KEYS[1])
  for i = 1, #all, 2 do
    if all[i] == 'mode' then
      mode = all[i + 1]
    else
      local rest = left(all[i], all[i + 1])
      if rest < 0 then
        gone[#gone + 1] = all[i]
      else
        longest = math.max(longest, rest)
        if string.sub(all[i], -6) == ':write' then writing = rest end
      end
    end
  end
  if not mode then return false end
  if longest < 0 then
    redis.call('DEL', KEYS[1])
    return false
  end
  for _, holder in ipairs(gone) do redis.call('HDEL', KEYS[1], holder) end
  if mode == 'write' and writing < 0 then
    mode = 'read'
    redis.call('HSET', KEYS[1], 'mode', mode)
  end
  if (always or gone[1]) and longest < math.huge then
    -- A hold in its last millisecond is not ended by this.
    redis.call('PEXPIRE', KEYS[1], math.max(1, longest))
  end
  return mode, longest, writing
end
