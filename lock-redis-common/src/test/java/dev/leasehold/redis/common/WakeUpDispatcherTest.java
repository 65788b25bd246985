package dev.leasehold.redis.common;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.leasehold.lock.spi.Watch;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The receivers of a wake-up")
class WakeUpDispatcherTest {
  private final WakeUpDispatcher wakeUps = new WakeUpDispatcher();
  private final List<String> woken = new ArrayList<>();

  private Watch add(String name) {
    return wakeUps.add(name, () -> woken.add(name));
  }

  private Watch addOwn(String name, String token) {
    return wakeUps.addOwn(name, token, () -> woken.add(name + '/' + token));
  }

  private void isTold(String message, String... who) {
    woken.clear();
    wakeUps.wake(message);
    assertEquals(List.of(who), woken, message);
  }

  @Test
  @DisplayName("All watchers of a name, whatever characters it contains")
  void names() {
    Watch first = add("a");
    add("a");
    add("a b");
    isTold("a", "a", "a");
    isTold("a b", "a b");
    isTold("a c");
    isTold("b");
    first.close();
    first.close();
    isTold("a", "a");
  }

  @Test
  @DisplayName("The one whose token it is; for a token that is gone the first of the others")
  void tokens() {
    Watch first = addOwn("a b", "1");
    addOwn("a b", "2");
    addOwn("a", "3");
    isTold("a b 2", "a b/2");
    isTold("a b 9", "a b/1");
    isTold("a 9", "a/3");
    isTold("a b", "a/3"); // a name or a token: a waiter woken for nothing asks once
    first.close();
    isTold("a b 1", "a b/2");
    isTold("b 1");
    isTold("");
  }

  @Test
  @DisplayName("In a channel of one name the message is the token alone")
  void channelOfAName() {
    add("");
    addOwn("", "1");
    isTold("", "");
    isTold(" 1", "/1");
    isTold(" 2", "/1");
  }
}
