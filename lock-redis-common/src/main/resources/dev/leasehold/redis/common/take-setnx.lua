-- The beginning of acquire.lua: acquires a free lock by SETNX and PEXPIRE, atomically.
local taken = redis.call('SETNX', KEYS[1], ARGV[1]) == 1
if taken then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
