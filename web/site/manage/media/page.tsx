export function ManageMedia() {
  return null
}
