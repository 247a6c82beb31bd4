/**
 * What each operation of sessions needs of the assistant, by its names: one that is missing disables just the operations that need
 * it. (AS3)
 */
const needs: Readonly<Record<string, readonly string[]>> = {
  'assistant.open': [
    'tournament:join',
    'tournament:match:create_match',
    'tournament:match:add_user_to_match',
    'tournament:match:set_match_leader',
  ],
  'assistant.setMap': ['tournament:match:set_match_map'],
  'assistant.load': ['tournament:player:load_song'],
  'assistant.readyCheck': ['tournament:player:show_prompt'],
  'assistant.play': ['tournament:player:play_song'],
  'assistant.return': ['tournament:player:return_to_menu'],
  'assistant.modify': ['tournament:player:modify_gameplay'],
  'assistant.syncColor': ['tournament:player:play_with_stream_sync'],
}

/** @param missing permissions that the link is known to lack */
export function unusableWith(missing: readonly string[]): string[] {
  const lacking = new Set(missing)
  return Object.keys(needs).filter((name) => needs[name]?.some((permission) => lacking.has(permission)))
}
