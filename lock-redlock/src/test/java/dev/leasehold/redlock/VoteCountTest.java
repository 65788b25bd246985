package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import dev.leasehold.redlock.VoteCount.Votes;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class VoteCountTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  @DisplayName("A refusal gives its end as coarsely as the coarsest node does")
  void resolution() {
    List<Optional<AcquireResult>> answers =
        List.of(
            Optional.of(new Held(Duration.ofMillis(1500))),
            Optional.of(new Held(SECOND, SECOND)),
            Optional.empty());
    Optional<Votes> votes =
        new VoteCount(QuorumPolicy.majority(), 3)
            .votes(new NodeAnswers<>(answers, Collections.nCopies(3, Optional.empty()), false));
    Votes.Lost lost = assertInstanceOf(Votes.Lost.class, votes.orElseThrow());
    assertEquals(new Held(Duration.ofMillis(1500), SECOND), lost.held());
  }
}
