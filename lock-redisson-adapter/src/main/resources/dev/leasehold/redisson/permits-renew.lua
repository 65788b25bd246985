-- Renews the permits that the tokens have. Never shortens one, and revives no expired one.
--
-- KEYS[i] holds, as in permits.lua
-- ARGV[2i - 1] token  ARGV[2i] time to live, ms
-- ARGV[2 #KEYS + 1] '1': writes even if the end is later already, a ms more, so that WAIT has a write to wait for
--
-- Reply: for each lease 1 renewed, 0 not the token's, or the error's text; 2 not looked at: ask again.
--
-- After a thousand permits the other leases are left for another call: a lease may be thousands of permits, and the
-- server is blocked meanwhile.
local looked = 0
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local apart = 1000 -- as in permits.lua
local always = ARGV[2 * #KEYS + 1] == '1'
local function renewed(holds, token, ttl)
  local i, ends = 1, redis.call('ZSCORE', holds, '1:' .. token)
  if not ends or ends - apart <= now then return 0 end
  while ends do
    -- A ZADD that changes nothing is not replicated.
    local later = math.max(tonumber(ends) + (always and 1 or 0), now + ttl + apart)
    if later > tonumber(ends) then
      redis.call('ZADD', holds, string.format('%.0f', later), i .. ':' .. token)
    end
    i = i + 1
    looked = looked + 1
    ends = redis.call('ZSCORE', holds, i .. ':' .. token)
  end
  return 1
end
local replies = {}
for i = 1, #KEYS do
  if looked >= 1000 then
    replies[i] = 2
  else
    local fine, reply = pcall(renewed, KEYS[i], ARGV[2 * i - 1], tonumber(ARGV[2 * i]))
    replies[i] = fine and reply or (type(reply) == 'table' and reply['err'] or tostring(reply))
  end
end
return replies
