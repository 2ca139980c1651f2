"""Takes a validated image to its stored result: accepts the upload, queues the job, runs the engine.

In: an account's upload. Out: a token at once, and later the result that the token stands for.
Decides which uploads are duplicates, which job runs next, what a failure is blamed on and when it is final.
The job row is the source of truth: `uploads` and `booking` write it in one transaction with the charge,
`queue` leases it, `worker` runs the engine under the lease, `supervisor` keeps workers running, and `broker`
only wakes them.
"""
