package dev.leasehold.redis.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The words are those of real servers: Redis 6.2, Redis 7 and Valkey 9. */
class RedisErrorsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "OOM command not allowed when used memory > 'maxmemory'.",
        "ERR Error running script (call to f_0a9f75e991483d02789696e4c90d26c10395863e):"
            + " @user_script:1: @user_script: 1: -OOM command not allowed when used memory >"
            + " 'maxmemory'.",
        "READONLY You can't write against a read only replica.",
        "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
        "LOADING Redis is loading the dataset in memory",
        "NOREPLICAS Not enough good replicas to write.",
        "MISCONF Errors writing to the AOF file: No space left on device",
        "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
        "CLUSTERDOWN The cluster is down",
        "TRYAGAIN Multiple keys request during rehashing of slot",
        "MOVED 3999 127.0.0.1:6381",
        "ERR max number of clients reached"
      })
  void aServerThatCanNotNowIsUnavailable(String words) {
    assertEquals(Kind.UNAVAILABLE, RedisErrors.kind(words));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NOPERM this user has no permissions to run the 'evalsha' command",
        "WRONGTYPE Operation against a key holding the wrong kind of value",
        "NOAUTH Authentication required.",
        "WRONGPASS invalid username-password pair or user is disabled.",
        "NOSCRIPT No matching script. Please use EVAL.",
        "ERR The user executing the script can't access at least one of the keys mentioned in the"
            + " command arguments",
        "ERR unknown command 'delex', with args beginning with: 'k' "
      })
  void aServerThatWillNotRefuses(String words) {
    assertEquals(Kind.REFUSED, RedisErrors.kind(words));
  }

  @Test
  void aKeyOfAnotherTypeIsAnotherPrograms() {
    String words = "WRONGTYPE Operation against a key holding the wrong kind of value";
    assertEquals(
        words + " (another program has written one of this lock's keys)",
        RedisErrors.explained(words));
  }

  @Test
  void theMessageNamesOperationKindNameAndTheServersWords() {
    LockStoreException e =
        RedisErrors.of("LOADING Redis is loading", "acquire", LockKind.SEMAPHORE, "orders");
    assertEquals(Kind.UNAVAILABLE, e.kind());
    assertEquals("Could not acquire semaphore 'orders': LOADING Redis is loading", e.getMessage());
  }

  @Test
  void aSlotThatIsBeingMovedIsExplained() {
    LockStoreException e =
        RedisErrors.of(
            "TRYAGAIN Multiple keys request during rehashing of slot",
            "acquire",
            LockKind.LOCK,
            "orders");
    assertEquals(
        "Could not acquire lock 'orders': TRYAGAIN Multiple keys request during rehashing of slot"
            + " (the cluster is moving this lock's slot to another node, and serves its keys"
            + " together only before and after that)",
        e.getMessage());
  }

  @Test
  void whatWasNotRunIsKnown() {
    assertTrue(RedisErrors.isNoScript("NOSCRIPT No matching script. Please use EVAL."));
    assertFalse(RedisErrors.isNoScript("ERR something else"));
    assertTrue(
        RedisErrors.isUnknown("ERR unknown command `delifeq`, with args beginning with: `k`"));
    assertTrue(RedisErrors.isUnknown("ERR unknown command 'delex', with args beginning with: 'k'"));
    assertTrue(RedisErrors.isUnknown("ERR syntax error"));
    assertFalse(RedisErrors.isUnknown("WRONGTYPE Operation against a key"));
  }
}
