package dev.leasehold.controls;

import static dev.leasehold.controls.Control.Rules.breaks;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** Read/write locks. */
final class ReadWriteLocks {
  /** Enters a side that was found free. Writers do exclude each other. */
  private static final String ENTER =
      """
      local token, ttl, mode = unpack(ARGV)
      if mode == 'w' then
        local key = KEYS[1] .. ':w'
        if not redis.call('SET', key, token, 'NX', 'PX', ttl)
            and redis.call('GET', key) ~= token then
          return math.max(1, redis.call('PTTL', key))
        end
      else
        reader(token, tonumber(ttl))
      end
      if redis.call('GET', KEYS[1] .. ':door') == token then
        redis.call('DEL', KEYS[1] .. ':door')
      end
      return -1
      """;

  private static final String READERS_OF_ONE_LEASE =
      """
      local function reader(token, ttl)
        redis.call('ZADD', KEYS[1], 0, token)
        if redis.call('PTTL', KEYS[1]) < ttl then redis.call('PEXPIRE', KEYS[1], ttl) end
      end
      """;

  private static final String RENEWS_IF_THERE_IS_A_READER =
      """
      if ARGV[3] == 'r' and redis.call('ZCARD', KEYS[1]) > 0 then
        reader(ARGV[1], tonumber(ARGV[2]))
        return 1
      end
      """;

  private static final String READS_IF_THERE_IS_A_READER =
      """
      if ARGV[3] == 'r' and redis.call('ZCARD', KEYS[1]) > 0
          and redis.call('EXISTS', KEYS[1] .. ':w') == 1 then
        reader(ARGV[1], tonumber(ARGV[2]))
        return -1
      end
      """;

  private ReadWriteLocks() {}

  static List<Control> all() {
    return List.of(
        // Each side checks the other by one command and enters by the next.
        Control.sides(
                "sides that look, then take",
                breaks("RW-1"),
                address ->
                    new ReadWriteSketch(address) {
                      @Override
                      long take(String key, String... arguments) {
                        long refused = look(key, arguments);
                        return refused == -1
                            ? redis.script(readers() + ENTER, key, arguments)
                            : refused;
                      }
                    })
            .sparing("RW-4", "RW-5"),
        // Readers with identities of their own, but a common expiry.
        Control.sides(
            "readers with one time to live",
            breaks("RW-4"),
            address ->
                new ReadWriteSketch(address) {
                  @Override
                  String readers() {
                    return READERS_OF_ONE_LEASE;
                  }
                }),
        // A renewal that checks whether there is any reader, not whether it is this one.
        Control.sides(
            "readers renewed by any client",
            breaks("RW-4"),
            address ->
                new ReadWriteSketch(address) {
                  @Override
                  String atRenewal() {
                    return RENEWS_IF_THERE_IS_A_READER;
                  }
                }),
        // A release of the write side that deletes its key, whichever client holds it.
        Control.sides(
            "writer released by any client",
            breaks("RW-4"),
            address ->
                new ReadWriteSketch(address) {
                  @Override
                  String atRelease() {
                    return "if ARGV[2] == 'w' then return redis.call('DEL', KEYS[1] .. ':w') end\n";
                  }
                }),
        // A renewal that checks whether there is any writer, not whether it is this one.
        Control.sides(
            "writer renewed by any client",
            breaks("RW-4"),
            address ->
                new ReadWriteSketch(address) {
                  @Override
                  String atRenewal() {
                    return """
                    if ARGV[3] == 'w' then
                      return redis.call('PEXPIRE', KEYS[1] .. ':w', ARGV[2])
                    end
                    """;
                  }
                }),
        // A write side without an expiry until its first renewal.
        Control.sides(
            "writer without a time to live",
            breaks("RW-4"),
            address ->
                new ReadWriteSketch(address) {
                  @Override
                  String writer() {
                    return """
                    local function writer(token) redis.call('SET', KEYS[1] .. ':w', token) end
                    """;
                  }
                }),
        // Sound, but waiters are ignored.
        Control.sides(
            "readers that pass a waiting writer",
            breaks("RW-2"),
            address ->
                new ReadWriteSketch(address) {
                  @Override
                  String waits(boolean again) {
                    return "0";
                  }
                }),
        // Sound, but only writers can wait at the door: a refused reader has to poll.
        Control.sides(
            "writers that pass a waiting reader",
            breaks("RW-2"),
            address ->
                new ReadWriteSketch(address) {
                  @Override
                  String atOnce() {
                    return "if ARGV[3] == 'r' then ARGV[5] = '0' end\n";
                  }
                }),
        // A writer that also reads opens the read side for all other owners: there is a reader
        // already, so reading is allowed.
        Control.sides(
                "read side that a writer opens",
                breaks("RW-3"),
                address ->
                    new ReadWriteSketch(address) {
                      @Override
                      String atOnce() {
                        return READS_IF_THERE_IS_A_READER;
                      }
                    })
            .sparing("RW-1", "RW-4", "RW-5"),
        optionsOfTheFirst(),
        // Each grant has a token, but readers draw theirs from a separate counter.
        Control.sides(
            "sides with a counter each",
            breaks("RW-6"),
            address ->
                new ReadWriteSketch(address, Guarantee.FENCING) {
                  @Override
                  OptionalLong token(String key, String mode) {
                    return OptionalLong.of(redis.number("INCR", key + ":fence:" + mode));
                  }

                  @Override
                  OptionalLong fence(String token) {
                    return OptionalLong.of(redis.number("INCR", "fence"));
                  }
                }));
  }

  /** A manager that caches its read/write locks by name, with the options of the first use. */
  private static Control optionsOfTheFirst() {
    Control control =
        new Control("readers with the first one's options", breaks("RW-5"), ReadWriteSketch::new) {
          @Override
          public LockManager manager(String address, UnaryOperator<LockManager.Builder> tuning) {
            LockManager sound = super.manager(address, tuning);
            Map<Object, Object> kept = new ConcurrentHashMap<>();
            return Around.each(
                LockManager.class,
                sound,
                (method, arguments, call) ->
                    method.getName().equals("readWriteLock") && arguments.length == 2
                        ? kept.computeIfAbsent(
                            arguments[0],
                            name -> sound.readWriteLock((String) name, (LockOptions) arguments[1]))
                        : call.make());
          }
        };
    return control.concerning("RW-.*").sparing("RW-1", "RW-3", "RW-5");
  }
}
