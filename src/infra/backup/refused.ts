/** The file is not a backup, or not as it was written; the message is one line for the operator. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}
