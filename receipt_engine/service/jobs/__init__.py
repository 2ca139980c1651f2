"""From a checked picture to its stored result: accepting, queueing, reading.

In: an upload of an account. Out: a token at once, and later the result it stands for.
Decides which upload is a duplicate, which job is read next, whose fault a failure is and when it is final.
The job row is the truth: `uploads` and `booking` write it with the charge in one transaction, `queue` leases
it, `worker` reads under the lease, `supervisor` keeps workers running, `broker` only carries the news.
"""
