-- Reads a bare key. Writes nothing.
--
-- KEYS[1] lock
--
-- Reply: nil if there is none; the key if it is no string of up to 512 bytes; else { value, time to live in ms, the
-- server's time in microseconds }.
local kind = redis.call('TYPE', KEYS[1])
if kind['ok'] == 'none' then return false end
if kind['ok'] ~= 'string' or redis.call('STRLEN', KEYS[1]) > 512 then return KEYS[1] end
local clock = redis.call('TIME')
return { redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1]), clock[1] * 1000000 + clock[2] }
