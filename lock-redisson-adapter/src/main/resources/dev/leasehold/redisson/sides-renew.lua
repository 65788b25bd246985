-- Renews the time to live of the holds of read/write locks that the holders have. Never shortens one, and revives no
-- expired one.
--
-- KEYS[2i - 1] lock   KEYS[2i] end of the holder
-- ARGV[2i - 1] holder  ARGV[2i] time to live, ms
-- ARGV[#KEYS + 1] '1': writes it even if it is longer already, so that WAIT has a write to wait for
--
-- Reply: for each hold 1 renewed, 0 not the holder's, or the error's text.
local always = ARGV[#KEYS + 1] == '1'
local function longer(key, ttl)
  local rest = redis.call('PTTL', key)
  if rest >= 0 and (always or rest < ttl) then redis.call('PEXPIRE', key, math.max(rest, ttl)) end
end
local replies = {}
for i = 1, #KEYS, 2 do
  local has = redis.pcall('HEXISTS', KEYS[i], ARGV[i])
  if type(has) == 'table' then
    has = has['err']
  elseif has == 1 then
    has = redis.call('EXISTS', KEYS[i + 1])
    if has == 1 then
      longer(KEYS[i + 1], tonumber(ARGV[i + 1]))
      longer(KEYS[i], tonumber(ARGV[i + 1]))
    end
  end
  replies[(i + 1) / 2] = has
end
return replies
