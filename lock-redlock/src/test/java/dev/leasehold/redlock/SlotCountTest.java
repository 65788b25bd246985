package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.spi.PermitStore.Permits;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The number of permits held on a quorum")
class SlotCountTest {
  private static final int SILENT = -1;

  private static OptionalInt known(boolean isLast, int... held) {
    List<Optional<Permits>> values =
        Arrays.stream(held)
            .mapToObj(n -> n == SILENT ? Optional.<Permits>empty() : Optional.of(new Permits(9, n)))
            .toList();
    List<Optional<Throwable>> failures =
        Collections.nCopies(held.length, Optional.<Throwable>empty());
    VoteCount voteCount = new VoteCount(QuorumPolicy.majority(), held.length);
    return SlotCount.agreed(voteCount, new NodeAnswers<>(values, failures, isLast))
        .map(told -> OptionalInt.of(told.held()))
        .orElse(OptionalInt.empty());
  }

  @Test
  @DisplayName("is what a quorum reports, which a release may not have reached")
  void agreed() {
    assertEquals(OptionalInt.of(1), known(false, 1, 1, SILENT));
    assertEquals(OptionalInt.empty(), known(false, 1, 0, SILENT), "the third node decides");
    assertEquals(OptionalInt.of(0), known(false, 1, 0, 0));
    assertEquals(OptionalInt.empty(), known(false, 1, 1, 0, SILENT, SILENT));
    assertEquals(OptionalInt.of(1), known(false, 1, 1, 0, 1, SILENT));
  }

  @Test
  @DisplayName("is estimated if no quorum agrees in the end, and unknown without a quorum")
  void last() {
    assertTrue(known(true, 1, 0, SILENT).isPresent());
    assertEquals(OptionalInt.of(1), known(true, 2, 1, 0));
    assertEquals(OptionalInt.empty(), known(true, 1, SILENT, SILENT));
  }
}
