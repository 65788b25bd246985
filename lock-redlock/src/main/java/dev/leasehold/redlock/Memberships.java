package dev.leasehold.redlock;

import dev.leasehold.lock.spi.quorum.ListedNode;
import dev.leasehold.lock.spi.quorum.ListedNode.Membership;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Tells nodes which nodes this quorum has, as far as it knows them by now. Thread-safe. */
final class Memberships {
  private static final String NOT_KNOWN = "?";
  private static final Pattern BLANK = Pattern.compile("\\s");

  private final List<Member> members;
  private final List<List<Integer>> lists;
  private final String names;

  /**
   * Of a quorum that goes by majorities.
   *
   * @param lists each list's nodes, by their places among the members
   */
  Memberships(List<Member> members, List<List<Integer>> lists) {
    this.members = members;
    this.lists = lists;
    this.names = joined(members.stream().map(Memberships::name).toList());
  }

  /** Blanks part what nodes remember. */
  private static String name(Member member) {
    return BLANK.matcher(member.toString()).replaceAll("_");
  }

  /** Has each vote of each node tell it. Before they are started. */
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

  /** A copy of another node's data has its id, too: one of them counts. */
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
