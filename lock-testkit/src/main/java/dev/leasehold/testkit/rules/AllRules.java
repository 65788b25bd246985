package dev.leasehold.testkit.rules;

import java.util.List;

/** The list of rule classes. */
public final class AllRules {
  private AllRules() {}

  /** The rule classes, in the order of {@code SPEC.md}. */
  public static List<Class<?>> themes() {
    return List.of(
        ExclusionRules.class,
        LeaseRules.class,
        HandOverRules.class,
        ReleaseRules.class,
        ReentrancyRules.class,
        RenewalRules.class,
        LossRules.class,
        IsolationRules.class,
        WaitingRules.class,
        AftermathRules.class,
        ContendedRules.class,
        CrowdRules.class,
        WakeUpRules.class,
        FairnessRules.class,
        ArrivalRules.class,
        FencingRules.class,
        MinimumHoldRules.class,
        KeptLockRules.class,
        LingerRules.class,
        ElectionRules.class,
        ForcedRaceRules.class,
        ReadWriteRules.class,
        ReadWriteLeaseRules.class,
        ReadWriteTurnRules.class,
        QuorumReadWriteRules.class,
        SemaphoreRules.class,
        PartialReleaseRules.class,
        SemaphoreLineRules.class,
        SlotRules.class,
        LatchRules.class,
        AllAtOnceRules.class,
        UnlikePartsRules.class,
        QuorumRules.class,
        QuorumFaultRules.class,
        QuorumVoteRules.class,
        FaultRules.class,
        ServerErrorRules.class,
        InputRules.class,
        LifecycleRules.class);
  }
}
