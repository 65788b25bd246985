package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptCall;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class UnansweredTest {
  private static final Sender NOWHERE =
      new Sender() {
        @Override
        public void send(PendingCommand<?> call) {
          // never answered
        }

        @Override
        public boolean redirect(PendingCommand<?> call, String serverWords) {
          return false;
        }
      };

  @Test
  @DisplayName(
      "A call that was sent on to another node does not end with the first one's connection")
  void redirected() {
    PendingCommand<String> call =
        new LettuceScriptCall<>(
            NOWHERE,
            new ScriptCall<>(
                "inspect",
                "a",
                new FencedScripts(Script.ACQUIRE, "s").inspect("a"),
                String::valueOf));
    Unanswered first = new Unanswered();
    Unanswered second = new Unanswered();
    first.add(call);
    second.add(call);
    first.end();
    assertFalse(call.isDone(), "another connection owes its answer");
    second.end();
    assertTrue(call.isCompletedExceptionally());
  }
}
