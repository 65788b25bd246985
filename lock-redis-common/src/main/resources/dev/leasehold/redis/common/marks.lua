-- Before scripts that read a lock's value. A lease whose token ends in '.' may be released by the server's own
-- compare-and-delete, which wakes no waiter. So a client that queues marks the value of such a lease by a '!' after the
-- token: then the comparison fails, and release.lua passes the lock on. A client that knows no marks has no such token.
local function unmarked(v)
  return type(v) == 'string' and string.sub(v, -2) == '.!' and string.sub(v, 1, -2) or v
end

local function may_mark(token)
  return string.byte(token, -1) == 46
end

local function mark(lock, token)
  redis.call('SET', lock, token .. '!', 'KEEPTTL')
end
