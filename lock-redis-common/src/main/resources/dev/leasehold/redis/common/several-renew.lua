-- Renews leases stored as in permits.lua that the tokens hold. Never shortens one, and revives no expired one.
--
-- KEYS[2i - 1] holders   KEYS[2i] key that has to outlast the lease by a day, if it exists
-- ARGV[2i - 1] token  ARGV[2i] time to live, ms
--
-- Reply: for each lease 1 renewed, 0 not the token's, or the error's text; 2 not looked at: ask again.
--
-- After a thousand entries the other leases are left for another call: a lease may be thousands of permits, and the
-- server is blocked meanwhile.
local looked = 0
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local function renewed(holders, beside, token, ttl)
  local i = 1
  local ends = redis.call('ZSCORE', holders, '1:' .. token)
  if not ends or tonumber(ends) <= now then return 0 end
  while ends do
    if tonumber(ends) < now + ttl then
      redis.call('ZADD', holders, string.format('%.0f', now + ttl), i .. ':' .. token)
    end
    i = i + 1
    looked = looked + 1
    ends = redis.call('ZSCORE', holders, i .. ':' .. token)
  end
  -- Written even if it is longer already, so that WAIT has a write to wait for: a ZADD may change nothing.
  redis.call('PEXPIRE', holders, string.format('%.0f', math.max(redis.call('PTTL', holders), ttl)))
  if redis.call('PTTL', beside) < ttl + 86400000 then
    -- An hour more, so that most renewals need not write it.
    redis.call('PEXPIRE', beside, string.format('%.0f', ttl + 90000000))
  end
  return 1
end
local replies = {}
for i = 1, #KEYS, 2 do
  if looked >= 1000 then
    replies[(i + 1) / 2] = 2
  else
    local fine, reply = pcall(renewed, KEYS[i], KEYS[i + 1], ARGV[i], tonumber(ARGV[i + 1]))
    replies[(i + 1) / 2] = fine and reply or (type(reply) == 'table' and reply['err'] or tostring(reply))
  end
end
return replies
