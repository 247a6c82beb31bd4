export function ManageOverlays() {
  return null
}
