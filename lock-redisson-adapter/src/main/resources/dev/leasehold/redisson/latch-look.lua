-- Reads a latch. After latch.lua.
--
-- ARGV[1] PUBLISH or SPUBLISH  ARGV[2] channel
--
-- Reply: nil if it was never opened, or was at zero without a round; else its round ('' if it is Redisson's), how many
-- count-downs are missing, for how many ms it is still valid (0 or less: expired since then), and our previous round,
-- if that was at zero when it ended.
--
-- The first call that finds a latch expired ends it. Plain clients take a missing latch for one at zero; their waiters
-- have to be notified.
if theirs then
  local most = math.min(math.max(0, tonumber(stored)), 2147483647)
  return { '', most, ends < 0 and 31536000000 or ends, was_at_zero() and round or '' }
end
if not round then return false end
if left <= 0 and missing > 0 and not missed then
  redis.call('HSET', KEYS[2], 'missed', text(missing))
  redis.call('DEL', KEYS[1])
  notify(ARGV[1], ARGV[2], '0')
end
return { round, missing, left, passed }
