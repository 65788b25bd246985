package dev.leasehold.redlock;

import dev.leasehold.lock.spi.quorum.ListedNode;
import dev.leasehold.lock.spi.quorum.ListedNode.Membership;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Announces the quorum's list of nodes to its nodes, as far as their ids are known. Thread-safe.
 */
final class Memberships {
  private static final String NOT_KNOWN = "?";
  private static final Pattern BLANK = Pattern.compile("\\s");

  private final List<Member> members;
  private final List<List<Integer>> lists;
  private final String names;

  /**
   * For a quorum decided by majorities.
   *
   * @param lists each list's nodes, by their indexes among the members
   */
  Memberships(List<Member> members, List<List<Integer>> lists) {
    this.members = members;
    this.lists = lists;
    this.names = joined(members.stream().map(Memberships::name).toList());
  }

  /** Without blanks, which separate what nodes store. */
  private static String name(Member member) {
    return BLANK.matcher(member.toString()).replaceAll("_");
  }

  /** Adds the list to each vote of each node. To be called before the nodes are started. */
  void tell() {
    for (Member member : members) {
      if (member.store instanceof ListedNode node) {
        node.partOf(this::now);
      }
    }
  }

  private Membership now() {
    return new Membership(joined(ids()), names);
  }

  /**
   * The nodes' ids. A node restored from a copy of another's data has the same id: only one counts.
   */
  private List<String> ids() {
    Set<String> known = new HashSet<>();
    List<String> ids = new ArrayList<>();
    for (Member member : members) {
      String id = member.store instanceof ListedNode node ? node.nodeId() : "";
      ids.add(!id.isEmpty() && known.add(id) ? id : NOT_KNOWN);
    }
    return ids;
  }

  private String joined(List<String> texts) {
    return lists.stream()
        .map(list -> list.stream().map(texts::get).collect(Collectors.joining(",")))
        .collect(Collectors.joining("|"));
  }
}
