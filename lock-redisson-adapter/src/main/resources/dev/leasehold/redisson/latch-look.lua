-- Looks at a latch. After latch.lua.
--
-- ARGV[1] PUBLISH or SPUBLISH  ARGV[2] channel
--
-- Reply: nil if nobody has opened it, or it was at zero without a round; else its round ('' if theirs), how many
-- count-downs are missing, for how many ms it is not over yet (0 or less: it is over since then), and our round
-- before, if it was at zero when it ended.
--
-- The first who sees that one is over ends it. Plain clients take one that is gone for one at zero; those who wait
-- have to be told.
if theirs then
  local most = math.min(math.max(0, tonumber(stored)), 2147483647)
  return { '', most, ends < 0 and 31536000000 or ends, was_at_zero() and round or '' }
end
if not round then return false end
if left <= 0 and missing > 0 and not missed then
  redis.call('HSET', KEYS[2], 'missed', text(missing))
  redis.call('DEL', KEYS[1])
  tell(ARGV[1], ARGV[2], '0')
end
return { round, missing, left, passed }
