package dev.leasehold.controls;

import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import java.time.Duration;
import java.util.List;

/** A failed attempt does not release the votes it got. */
public final class QuorumWithoutRelease extends QuorumControl {
  @Override
  public String name() {
    return "quorum without release after failure";
  }

  @Override
  List<String> tells() {
    return List.of("QU-3");
  }

  @Override
  List<String> breaks() {
    return List.of("QU-1", "QU-2", "QU-3", "QU-4", "QU-7");
  }

  @Override
  LeaseStore over(List<? extends LeaseStore> nodes) {
    return new QuorumSketch(nodes) {
      @Override
      void failed(LeaseKey key) {
        // the votes expire eventually
      }

      @Override
      AcquireResult tooFew(AnswerRound<AcquireResult> votes) {
        return new AcquireResult.Held(Duration.ZERO); // "false": the engine releases nothing
      }
    };
  }
}
