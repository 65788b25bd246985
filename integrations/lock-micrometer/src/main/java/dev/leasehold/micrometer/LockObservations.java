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
 * <p>Each acquisition is an observation {@value #ACQUIRE}, from the request to its result; each
 * hold is an observation {@value #HOLD}, from the grant until the store has answered the release,
 * or until the loss. The parent of both is the requesting thread's current observation at the time
 * of the request, even if the acquisition is asynchronous and another thread releases the lock.
 * They are never in scope themselves.
 *
 * <p>Low-cardinality keys: {@code leasehold.outcome} (granted, handed_over, reentered, refused,
 * cancelled, failed) and {@code leasehold.contended} (true, false) of an acquisition, {@code
 * leasehold.end} (released, expired, not_owner, closed) of a hold, {@code leasehold.kind} (lock,
 * read_lock, write_lock, semaphore) of both. High-cardinality key: {@code leasehold.lock}, the
 * name. Failed acquisitions and lost holds have an error. Thread-safe.
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

  /** Creates observations in this registry, whose predicates and filters apply. */
  public static LockObservations on(ObservationRegistry registry) {
    return new LockObservations(registry);
  }

  /** Does nothing: an event carries no caller context. */
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

  /**
   * Both observations of one acquisition. Created by the requesting thread, whose context they
   * inherit.
   */
  private final class Observed implements AcquisitionListener {
    private final Observation acquire;
    private final Observation hold;

    Observed(LockKind kind, String lockName) {
      // The keys stay the same throughout, since meters of active observations use them as tags.
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
