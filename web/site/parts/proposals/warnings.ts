import { type WordId, words } from '../../data/words.ts'

const known = new Set([
  ...['wrong_map', 'wrong_difficulty', 'score_above_max', 'banned_mod', 'modifier_mismatch', 'second_report'],
  ...[
    'not_in_lineup',
    'player_missing',
    'failed',
    'quit',
    'late',
    'interrupted',
    'mapped_by_hand',
    'free_map',
    'unverified',
  ],
  ...['player_left', 'other_leader', 'other_map', 'match_deleted', 'sync_failed', 'not_started'],
  ...['paused', 'accuracy_mismatch', 'referee_plays', 'turn_after_correction', 'no_ready_check'],
])
/** What is wrong with a result, in words; new warnings of the service have their own name. */
export const warningText = (code: string): string =>
  known.has(code) ? words(`assistant.warning-${code}` as WordId) : code.replaceAll('_', ' ')
