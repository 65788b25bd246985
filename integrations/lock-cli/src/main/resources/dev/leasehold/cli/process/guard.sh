# Ends the command if the launcher ends without notice. Standard input is a pipe whose other end the launcher holds: the launcher
# writes signals to send, "late" if the lease is about to end, and "end" when the command has ended.
# $0: the folder in which the command registers, by a folder named like its process group. $1: tenths of a second from TERM to KILL.
trap '' HUP INT QUIT TERM ALRM USR1 USR2 TSTP
tenths=$1

each_group() { # the arguments of kill
  for group in "$folder"/[0-9]*; do
    kill "$@" -- "-${group##*/}" 2>/dev/null || return 1
  done
}

await_group() { # a signal may come before the command has registered
  tries=500
  until set -- "$folder"/[0-9]* && [ -d "$1" ] || [ "$tries" -eq 0 ]; do
    sleep 0.01
    tries=$((tries - 1))
  done
}

folder=$0
while read -r word; do
  case $word in
    end) rm -rf "$folder"; exit ;;
    late) tenths=0 ;;
    *) await_group; each_group -s "$word" ;;
  esac
done

# The launcher is gone. A command that has not registered by now never will, without its folder.
rmdir "$folder" 2>/dev/null && exit
each_group -s TERM && each_group -s CONT
while [ "$tenths" -gt 0 ] && each_group -s 0; do
  sleep 0.1
  tenths=$((tenths - 1))
done
each_group -s KILL
rm -rf "$folder"
