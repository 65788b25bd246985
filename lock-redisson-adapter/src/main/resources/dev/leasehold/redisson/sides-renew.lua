-- Sets the time to live of holds of read/write locks anew where the holders have them. Never shortens one,
-- and revives none that is over.
--
-- KEYS[2i - 1] lock   KEYS[2i] end of the holder
-- ARGV[2i - 1] holder  ARGV[2i] time to live, ms
-- ARGV[#KEYS + 1] '1': writes it also where it is longer, so that WAIT has something to wait for
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
