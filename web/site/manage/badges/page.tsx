export function ManageBadges() {
  return null
}
