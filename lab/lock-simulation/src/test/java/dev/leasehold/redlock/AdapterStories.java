package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;

import dev.leasehold.redisson.AdapterScene;
import dev.leasehold.simulation.ReplyError;
import java.util.List;

/**
 * The required behaviour of the scripts for semaphores, read/write locks and latches on Redisson's
 * keys, on a server with a manual clock. Static methods without parameters; each throws if the
 * behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class AdapterStories {
  private static final String ONE = "c1:abcdefghijklmnopqrstu1";
  private static final String TWO = "c1:abcdefghijklmnopqrstu2";
  private static final String THREE = "c1:abcdefghijklmnopqrstu3";
  private static final long LEASE = 10_000;
  private static final long MINUTE = 60_000;
  private static final long SECOND = 1000;

  private AdapterStories() {}

  private static boolean reads(AdapterScene a, String token, long ttl) {
    return a.enters(token, false, ttl, "") > 0;
  }

  private static boolean writes(AdapterScene a, String token) {
    return a.enters(token, true, LEASE, "") > 0;
  }

  static void writerIsExclusive() {
    AdapterScene a = new AdapterScene();
    check(reads(a, ONE, LEASE) && reads(a, TWO, LEASE), "two readers");
    check(!writes(a, THREE), "a writer is granted beside readers");
    a.leaves(ONE, false);
    check(!writes(a, THREE), "a writer beside the second reader");
    a.leaves(TWO, false);
    check(writes(a, THREE), "there is no reader");
    check(!reads(a, ONE, LEASE), "a reader is granted beside a writer");
  }

  static void writerMayAlsoRead() {
    AdapterScene a = new AdapterScene();
    writes(a, ONE);
    check(a.enters(ONE, false, LEASE, ONE) > 0, "refused to its own owner");
    check(a.enters(TWO, false, LEASE, TWO) <= 0, "beside another's write");
  }

  static void keyLivesAsLongAsTheLongestReader() {
    AdapterScene a = new AdapterScene();
    reads(a, ONE, LEASE);
    reads(a, TWO, MINUTE);
    check(a.server.call("PTTL", "a").equals(MINUTE), "it ends sooner");
    a.leaves(TWO, false);
    check(a.server.call("PTTL", "a").equals(LEASE), "it ends later");
  }

  static void repeatedAcquisitionDoesNotShortenASide() {
    AdapterScene a = new AdapterScene();
    reads(a, ONE, MINUTE);
    reads(a, ONE, SECOND);
    a.passes(LEASE);
    check(!writes(a, TWO), "shortened");
  }

  static void renewalDoesNotReviveAnExpiredSide() {
    AdapterScene a = new AdapterScene();
    reads(a, ONE, LEASE);
    reads(a, TWO, MINUTE);
    a.passes(LEASE + SECOND);
    check(!a.renews(ONE, false, MINUTE), "revived");
    check(a.renews(TWO, false, MINUTE), "another's is over");
  }

  static void renewalDoesNotShortenASide() {
    AdapterScene a = new AdapterScene();
    reads(a, ONE, MINUTE);
    a.renews(ONE, false, SECOND);
    a.passes(LEASE);
    check(!writes(a, TWO), "shortened");
  }

  static void invalidFenceRefusesTheLock() {
    AdapterScene a = new AdapterScene();
    a.spoilFences();
    try {
      reads(a, ONE, LEASE);
      check(false, "a fence was drawn");
    } catch (ReplyError expected) {
      check(a.server.call("EXISTS", "a").equals(0L), "it is held");
    }
  }

  private static boolean takes(AdapterScene a, String token, int wanted, int of) {
    return a.asks(token, LEASE, wanted, of, false).equals(1L);
  }

  static void noMorePermitsThanExist() {
    AdapterScene a = new AdapterScene();
    check(takes(a, ONE, 1, 2) && takes(a, TWO, 1, 2), "two of two were refused");
    check(!takes(a, THREE, 1, 2), "three of two");
  }

  static void permitIsFreeWhenItExpiresAndNotEarlier() {
    AdapterScene a = new AdapterScene();
    takes(a, ONE, 1, 1);
    a.passes(LEASE - SECOND / 2);
    check(!takes(a, TWO, 1, 1), "free too soon");
    a.passes(SECOND);
    check(takes(a, TWO, 1, 1), "a dead one's permit is held");
  }

  static void plainClientsClockMayBeSlow() {
    AdapterScene a = new AdapterScene();
    a.server.call("SET", "a", "0");
    a.plainPermit("abcdefghijklmnop", LEASE);
    a.passes(LEASE + SECOND / 2);
    check(!takes(a, ONE, 1, 1), "free too soon");
    a.passes(SECOND);
    check(takes(a, ONE, 1, 1), "a dead one's permit is held");
  }

  static void differentPermitCountIsRefused() {
    AdapterScene a = new AdapterScene();
    takes(a, ONE, 1, 2);
    check(a.asks(TWO, LEASE, 1, 5, false).equals(List.of(0L, 2L)), "another number");
    check(a.resizes(5, 3) == 2, "resized by a client with another number");
    check(a.resizes(2, 3) == 3 && a.count().equals(List.of(3L, 1L)), "not resized");
  }

  static void waiterForMorePermitsHoldsTheDoor() {
    AdapterScene a = new AdapterScene();
    takes(a, ONE, 2, 3);
    a.asks(TWO, LEASE, 2, 3, true);
    check(!takes(a, THREE, 1, 3), "what has to gather is taken");
    a.passes(3 * SECOND);
    check(takes(a, THREE, 1, 3), "a dead one holds the door");
  }

  static void leavingOpensTheDoor() {
    AdapterScene a = new AdapterScene();
    takes(a, ONE, 2, 3);
    a.asks(TWO, LEASE, 2, 3, true);
    a.waitsNoMore(TWO);
    check(takes(a, THREE, 1, 3), "a waiter that left holds the door");
  }

  static void onlyItsOwnPermitsAreReleased() {
    AdapterScene a = new AdapterScene();
    takes(a, ONE, 2, 2);
    a.gives(TWO);
    check(a.count().equals(List.of(2L, 2L)), "a stranger's: " + a.count());
    check(a.gives(ONE) == 1 && a.count().equals(List.of(2L, 0L)), "given back: " + a.count());
  }

  static void renewalDoesNotReviveExpiredPermits() {
    AdapterScene a = new AdapterScene();
    takes(a, ONE, 1, 1);
    a.passes(LEASE);
    check(!a.renewsPermits(ONE, MINUTE), "revived");
  }

  static void renewalExtendsAllPermits() {
    AdapterScene a = new AdapterScene();
    takes(a, ONE, 2, 2);
    check(a.renewsPermits(ONE, MINUTE), "not renewed");
    a.passes(LEASE + 2 * SECOND);
    check(a.count().equals(List.of(2L, 2L)), "held: " + a.count());
  }

  static void repeatedCountDownCountsOnce() {
    AdapterScene a = new AdapterScene();
    check(a.opens("r1", 2, MINUTE) && a.countsDown("t1") && a.countsDown("t1"), "not counted");
    check(a.missing() == 1, "missing: " + a.missing());
  }

  static void allWaitersAreNotifiedAtZero() {
    AdapterScene a = new AdapterScene();
    a.opens("r1", 2, MINUTE);
    List<String> told = a.told();
    a.countsDown("t1");
    check(told.isEmpty(), "told before zero");
    a.countsDown("t2");
    check(told.equals(List.of("0")), "told: " + told);
    check(a.server.call("EXISTS", "a").equals(0L), "the number is there");
    check(!a.countsDown("t3"), "below zero");
  }

  static void expiredLatchIsNotCountedDown() {
    AdapterScene a = new AdapterScene();
    a.opens("r1", 1, MINUTE);
    a.passes(MINUTE + SECOND);
    check(!a.countsDown("t1"), "counted, and it is over");
  }

  static void expiredLatchDidNotReachZero() {
    AdapterScene a = new AdapterScene();
    a.opens("r1", 1, MINUTE);
    a.passes(MINUTE + SECOND);
    check(a.missing() == 1 && a.missing() == 1, "missing: " + a.missing());
    check(a.server.call("EXISTS", "a").equals(0L), "plain clients wait for ever");
  }

  static void openLatchIsNotOpenedAgain() {
    AdapterScene a = new AdapterScene();
    a.opens("r1", 2, MINUTE);
    check(!a.opens("r2", 5, MINUTE) && a.missing() == 2, "opened anew: " + a.missing());
  }
}
