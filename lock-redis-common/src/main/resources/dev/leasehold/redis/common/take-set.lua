-- The beginning of acquire.lua: acquires a free lock by SET NX PX.
local taken = redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
