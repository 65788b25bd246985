package dev.leasehold.micrometer;

import dev.leasehold.lock.AcquisitionListener;
import dev.leasehold.lock.AcquisitionResult;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockListener;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * Observes acquisitions and holds, for traces:
 * <!-- given: LockSettings settings, io.micrometer.observation.ObservationRegistry registry -->
 *
 * <pre>{@code
 * dev.leasehold.micrometer.LockObservations observations =
 *     dev.leasehold.micrometer.LockObservations.on(registry);
 * LockManager locks =
 *     LockManager.opener(settings).engine(builder -> builder.listener(observations)).open();
 * }</pre>
 *
 * <p>Each acquisition is an observation {@value #ACQUIRE}, from asking until it is decided; each
 * hold is one {@value #HOLD}, from having the lock until the store has answered the release, or
 * until it is lost. The parent of both is what the thread that asks observes when it asks, so also
 * where the lock is asked for by one thread, waited for by none and released by another. They never
 * are in scope themselves.
 *
 * <p>Keys of low cardinality: {@code leasehold.outcome} (granted, handed_over, reentered, refused,
 * cancelled, failed) and {@code leasehold.contended} (true, false) of an acquisition, {@code
 * leasehold.end} (released, expired, not_owner, closed) of a hold, {@code leasehold.kind} (lock,
 * read_lock, write_lock, semaphore) of both. Of high cardinality: {@code leasehold.lock}, the name.
 * What failed or was lost has an error. Thread-safe.
 */
public final class LockObservations implements LockListener {
  /** Name of the observation of an acquisition. */
  public static final String ACQUIRE = "leasehold.lock.acquire";

  /** Name of the observation of a hold. */
  public static final String HOLD = "leasehold.lock.hold";

  private static final String OUTCOME = "leasehold.outcome";
  private static final String CONTENDED = "leasehold.contended";
  private static final String KIND = "leasehold.kind";
  private static final String END = "leasehold.end";

  private final ObservationRegistry registry;

  private LockObservations(ObservationRegistry registry) {
    this.registry = Objects.requireNonNull(registry, "registry");
  }

  /** Observes with this registry; its predicates and filters hold. */
  public static LockObservations on(ObservationRegistry registry) {
    return new LockObservations(registry);
  }

  /** Of no use here: an event has no caller. */
  @Override
  public void on(LockEvent event) {}

  @Override
  public Optional<AcquisitionListener> asked(LockKind kind, String lockName) {
    if (registry.isNoop()) {
      return Optional.empty();
    }
    return Optional.of(new Observed(kind, lockName));
  }

  private Observation created(String name, String shown, LockKind kind, String lockName) {
    return Observation.createNotStarted(name, registry)
        .contextualName(shown)
        .lowCardinalityKeyValue(KIND, lower(kind))
        .highCardinalityKeyValue("leasehold.lock", lockName);
  }

  /** Both observations of one acquisition. Made by the thread that asks, whose context they get. */
  private final class Observed implements AcquisitionListener {
    private final Observation acquire;
    private final Observation hold;

    Observed(LockKind kind, String lockName) {
      // The same keys from first to last: what counts those under way has tags of them.
      this.hold =
          created(HOLD, "hold lock", kind, lockName)
              .lowCardinalityKeyValue(END, KeyValue.NONE_VALUE);
      this.acquire =
          created(ACQUIRE, "acquire lock", kind, lockName)
              .lowCardinalityKeyValue(OUTCOME, KeyValue.NONE_VALUE)
              .lowCardinalityKeyValue(CONTENDED, KeyValue.NONE_VALUE)
              .start();
    }

    @Override
    public void decided(AcquisitionResult result) {
      acquire.lowCardinalityKeyValue(OUTCOME, lower(result.outcome()));
      acquire.lowCardinalityKeyValue(CONTENDED, String.valueOf(result.contended()));
      result.failure().ifPresent(acquire::error);
      acquire.stop();
      if (result.outcome().beginsHold()) {
        hold.start();
      }
    }

    @Override
    public void ended(Optional<LeaseLoss> loss) {
      hold.lowCardinalityKeyValue(END, loss.map(how -> lower(how.reason())).orElse("released"));
      loss.ifPresent(how -> hold.error(new LeaseLostException(how)));
      hold.stop();
    }
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
