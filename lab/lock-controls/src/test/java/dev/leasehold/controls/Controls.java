package dev.leasehold.controls;

import java.util.List;

/** All of them, in the specification's order. */
final class Controls {
  private Controls() {}

  static List<Control> all() {
    return List.of(
        new BareSetnx(),
        new SetnxThenExpire(),
        new MultiSetnxExpire(),
        new ExpiredDelSetnx(),
        new GetsetThenDel(),
        new GetsetThenDelUnlessExpired(),
        new SetNxExThenDel(),
        new GetThenDel(),
        new ThreadIdAsValue(),
        new BarePexpire(),
        new ClaimsRenewal(),
        new KeptByClient(),
        new TokenKept(),
        new CountedFromRequest(),
        new SetWithoutComparing(),
        WrongElection.ofOneOwner(),
        WrongElection.toldByAll(),
        WrongElection.onOneThread(),
        WrongElection.leftToExpire(),
        WrongAll.leavesSome(),
        WrongAll.keepsWhileWaiting(),
        new InAllLines(),
        WrongAll.looksAtTheFirst(),
        WrongAll.tellsForEach(),
        WrongAll.oneByOne(),
        WrongAll.countsByItself(),
        new FreeForAll(),
        new LineThatIsPassed(),
        new SidesLookThenTake(),
        new ReadersOfOneLease(),
        new ReadersRenewedByAnybody(),
        new WriterReleasedByAnybody(),
        new WriterRenewedByAnybody(),
        new WriterWithoutEnd(),
        new ReadersFirst(),
        new WritersFirst(),
        new AnybodyBeside(),
        new CountThenTake(),
        new CountWithoutOwners(),
        new OneTimeToLive(),
        new WhoeverFits(),
        new WakesOne(),
        new OneTokenForAllPermits(),
        WrongLatch.countsRequests(),
        WrongLatch.letsOneThrough(),
        WrongLatch.hasNoEnd(),
        new NanosecondTokens(),
        new NumbersGivenBackBlindly(),
        new HalfOfTheNodes(),
        new QuorumWithoutDrift(),
        new QuorumWithoutElapsedTime(),
        new QuorumWithoutRelease(),
        new QuorumInTurn(),
        new QuorumThatWaitsForAll(),
        new QuorumOfReadersUnwritten(),
        new PermitsCountedPerNode(),
        new PromotedReplica());
  }
}
