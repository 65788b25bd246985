package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A client asks a node for its id")
class NodeVoterTest {
  private final NodeVoter voter = new NodeVoter(Duration.ofSeconds(10), KeySpace.WHOLE);

  private void answered(String id) {
    voter.entered(List.of(0L, id.getBytes(UTF_8)));
  }

  @Test
  @DisplayName("until it votes, one request at a time; afterwards none")
  void untilItIsTold() {
    answered("");
    assertTrue(voter.voted());
    assertFalse(voter.voted(), "a question is under way");
    answered("");
    assertTrue(voter.voted(), "it had none yet");
    answered("n1");
    assertFalse(voter.voted());
    assertEquals("n1", voter.id());
  }

  @Test
  @DisplayName("and again where a question failed")
  void failed() {
    assertTrue(voter.voted());
    voter.notEntered();
    assertTrue(voter.voted());
  }
}
