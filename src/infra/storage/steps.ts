/** The steps of keeping an upload, in their order: a process may be killed after any of them, and nothing is amiss then. (M12) */
export const uploadSteps = ['received', 'decoded', 'written', 'synced', 'renamed', 'kept', 'committed'] as const
export type UploadStep = (typeof uploadSteps)[number]

/** Ends this process at once where a test says so, as a loss of power would. */
export function dyingAt(step: UploadStep | null): (reached: UploadStep) => void {
  return (reached) => {
    if (reached === step) process.kill(process.pid, 'SIGKILL')
  }
}
