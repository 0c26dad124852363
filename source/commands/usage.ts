/** What `--help` prints; no line is wider than 80 cells. */
export const usage = `lakescope: a terminal explorer for a lake of robot demonstrations

Usage
  lakescope [DIR… | filter]    open the explorer; folders of datasets are
                               taken in first (without a terminal: a summary)
  lakescope open LINK          the explorer at job:ID, dataset:ID, model:ID,
                               project:ID, upload:ID, episode:DATASET/INDEX
  lakescope episodes [filter]  print episodes: a table, --json, --jsonl, --csv
  lakescope datasets           print the datasets: a table, or --json
  lakescope jobs | models | projects | uploads
                               print those: a table, or --json
  lakescope finetune ID | augmentation ID | sync-status ID
                               print how it stands; with --watch to its end
  lakescope events             print events as they come, until ^C; --json
  lakescope ingest DIR…        take LeRobot datasets of this machine in
  lakescope check DIR…         what an upload would stumble over, or --json
  lakescope upload DIR…        send datasets to the service, which takes them in
  lakescope compose NAME FILTER
                               one new dataset of the episodes that it finds
  lakescope serve              run the embedded service in the foreground
  lakescope api METHOD PATH    any call of the interface; prints what it answers
  lakescope key                ask for a key and keep it (0600); --profile NAME
  lakescope doctor             what is configured, what answers, what breaks the
                               interface: lines, or --json
  lakescope --help | --version this text | the program's version

Which service
  --url URL       a hosted service (LAKESCOPE_URL); its key is taken from
                  LAKESCOPE_API_KEY, a key file or the configuration
  --profile NAME  a service and account of the configuration (LAKESCOPE_PROFILE)
  --account ID    the account to act on (LAKESCOPE_ACCOUNT_ID)
  --lake DIR      the folder of the embedded service's lake (LAKESCOPE_LAKE)
  --sample        the sample lake of simulated arms
  --read-only     refuse whatever changes something

episodes
  --limit N       how many (50); more than a page holds are paged through
  --offset N      how many to skip
  --all           every episode, as it comes

jobs, models, projects, uploads
  --limit N       how many (50); more than a page holds are paged through

finetune, augmentation, sync-status
  --watch         print every change until it has ended; the exit code tells
                  how: 0 completed or finalized, 1 otherwise
  --on-end CMD    then run CMD in a shell, with LAKESCOPE_KIND, LAKESCOPE_ID,
                  LAKESCOPE_STATE and LAKESCOPE_OUTCOME (good, bad)
  --json          the answer; with --watch one line a change

ingest, check, upload
  --name NAME     the dataset's name in the lake, for one dataset

upload
  --limit-rate N  bytes a second at most: 500K, 10M, 1G
  --force         send what is whole of a dataset that check finds faults in

serve
  --port N        the port to listen on; any that is free without it
  --listen ADDR   let other machines call at this address too, with
  --keys FILE     the keys of this file (0600)

api
  --input FILE    the body to send; - is the standard input

Filter
  tier:retrainable task:"fold the towel",wipe quality_score>=0.8
  max(action.gripper.pos)>50 towel
  Keys: tier task interface marker dataset tag review index parent is order.
  Other words are searched for as text.

Exit codes
  0 fine  1 failed  2 usage  3 not reachable  4 refused  5 interface broken
`;
