export function ManageAssistant() {
  return null
}
