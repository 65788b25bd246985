package dev.leasehold.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import party.iroiro.luajava.JFunction;
import party.iroiro.luajava.Lua.LuaType;
import party.iroiro.luajava.LuaException;
import party.iroiro.luajava.lua51.Lua51;

/**
 * Runs scripts as Redis does: Lua 5.1, {@code KEYS}, {@code ARGV}, {@code redis.call} and related
 * functions. Text is ASCII. A script is aborted after a million steps. Setting a global fails, as
 * in Redis, so scripts leave no state behind. One instance per thread, shared by all servers of its
 * worlds.
 */
final class Lua {
  private static final ThreadLocal<Lua> OF_THREAD = ThreadLocal.withInitial(Lua::new);

  /** The script's view of its server. Errors of call are raised without a position, as by Redis. */
  private static final String PRELUDE =
      """
      local send = __send
      __send = nil
      redis = { LOG_WARNING = 3 }
      redis.pcall = send
      redis.call = function(...)
        local reply = send(...)
        if type(reply) == 'table' and reply.err then error(reply, 0) end
        return reply
      end
      redis.error_reply = function(words) return { err = words } end
      redis.status_reply = function(words) return { ok = words } end
      redis.log = function() end
      redis.sha1hex = nil
      local ticks = 0
      debug.sethook(function()
        ticks = ticks + 1
        if ticks > 100 then error('runs for too long', 0) end
      end, '', 10000)
      debug = nil
      __run = function(script)
        ticks = 0
        local fine, reply = pcall(script)
        if fine then return reply end
        if type(reply) == 'table' and reply.err then return reply end
        return { err = 'ERR ' .. tostring(reply) }
      end
      setmetatable(_G, {
        __newindex = function(t, name, value)
          if name ~= '__jthrowable__' then -- luajava's own
            error('Attempt to modify a readonly table: ' .. tostring(name), 0)
          end
          rawset(t, name, value)
        end,
        __index = function(_, name)
          if name ~= '__jthrowable__' then
            error("Script attempted to access nonexistent global variable '" .. tostring(name) .. "'", 0)
          end
        end
      })
      """;

  private final Lua51 state = new Lua51();
  private final Map<String, Integer> compiled = new HashMap<>();
  private Function<List<String>, Object> server = words -> null;

  private Lua() {
    for (String library : List.of("", "string", "math", "table", "debug")) {
      state.openLibrary(library);
    }
    state.push((JFunction) lua -> send());
    state.setGlobal("__send");
    // Set before _G is closed; later globals are set raw.
    state.newTable();
    state.setGlobal("KEYS");
    state.newTable();
    state.setGlobal("ARGV");
    state.run(PRELUDE);
    state.setTop(0);
  }

  static Lua ofThread() {
    return OF_THREAD.get();
  }

  /** Runs a script against a server; rethrows its errors. */
  Object run(
      String script,
      List<String> keys,
      List<String> arguments,
      Function<List<String>, Object> onServer) {
    server = onServer;
    state.setTop(0);
    try {
      list("KEYS", keys);
      list("ARGV", arguments);
      state.getGlobal("__run");
      state.refGet(compiled.computeIfAbsent(script, this::compile));
      state.pCall(1, 1);
      Object reply = reply(-1);
      if (reply instanceof ReplyError error) {
        throw error;
      }
      return reply;
    } finally {
      state.setTop(0);
    }
  }

  private int compile(String script) {
    try {
      state.load(script);
    } catch (LuaException e) {
      throw new ReplyError("ERR Error compiling script: " + e.getMessage());
    }
    return state.ref();
  }

  private void list(String name, List<String> values) {
    state.createTable(values.size(), 0);
    for (int i = 0; i < values.size(); i++) {
      push(values.get(i));
      state.rawSetI(-2, i + 1);
    }
    state.setGlobal(name);
  }

  /** {@code redis.pcall}. */
  private int send() {
    List<String> words = new ArrayList<>();
    for (int i = 1; i <= state.getTop(); i++) {
      LuaType type = state.type(i);
      if (type == LuaType.NUMBER) {
        words.add(written(state.toNumber(i)));
      } else if (type == LuaType.STRING) {
        words.add(state.toString(i));
      } else {
        return push(
            new ReplyError("ERR Lua redis lib command arguments must be strings or integers"));
      }
    }
    try {
      return push(server.apply(words));
    } catch (ReplyError error) {
      return push(error);
    }
  }

  private static String written(double number) {
    return number == Math.rint(number) && Math.abs(number) < 1e17
        ? Long.toString((long) number)
        : String.format(java.util.Locale.ROOT, "%.17g", number);
  }

  private int push(Object reply) {
    if (reply == null) {
      state.push(false);
    } else if (reply instanceof Long number) {
      state.push((Number) (double) number);
    } else if (reply instanceof String text) {
      for (int i = 0; i < text.length(); i++) {
        if (text.charAt(i) == 0 || text.charAt(i) > 127) {
          throw new IllegalStateException("only ASCII without NUL: " + text);
        }
      }
      state.push(text);
    } else if (reply instanceof List<?> list) {
      state.createTable(list.size(), 0);
      for (int i = 0; i < list.size(); i++) {
        push(list.get(i));
        state.rawSetI(-2, i + 1);
      }
    } else {
      state.createTable(0, 1);
      state.push(reply instanceof Status status ? status.word() : ((ReplyError) reply).words());
      state.setField(-2, reply instanceof Status ? "ok" : "err");
    }
    return 1;
  }

  /** A script's result as a client sees it. */
  private Object reply(int at) {
    switch (state.type(at)) {
      case NIL:
        return null;
      case BOOLEAN:
        return state.toBoolean(at) ? 1L : null;
      case NUMBER:
        return (long) state.toNumber(at);
      case STRING:
        return state.toString(at);
      case TABLE:
        return table(at < 0 ? state.getTop() + at + 1 : at);
      default:
        throw new IllegalStateException("a script returned a " + state.type(at));
    }
  }

  private Object table(int at) {
    for (String field : List.of("err", "ok")) {
      state.push(field);
      state.rawGet(at);
      String words = state.type(-1) == LuaType.STRING ? state.toString(-1) : null;
      state.pop(1);
      if (words != null) {
        return field.equals("err") ? new ReplyError(words) : new Status(words);
      }
    }
    List<Object> list = new ArrayList<>();
    for (int i = 1; ; i++) {
      state.rawGetI(at, i);
      if (state.isNil(-1)) {
        state.pop(1);
        return list;
      }
      list.add(reply(-1));
      state.pop(1);
    }
  }
}
