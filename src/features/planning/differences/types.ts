import type { Format, MatchStatus, Settings } from '../../../engine/types.ts'
import type { Bracket } from '../../brackets/brackets/types.ts'
import type { MatchRecord } from '../../brackets/matches/types.ts'
import type { Channel } from '../../streaming/channels/types.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import type { SettingsView } from '../../tournaments/tournaments/views.ts'

/** What a rehearsal and its tournament are compared by. */
export interface Compared {
  readonly tournament: Tournament
  readonly channels: readonly Channel[]
  readonly brackets: readonly ComparedBracket[]
}

/** A bracket with the short id of its division. */
export interface ComparedBracket extends Pick<Bracket, 'guid' | 'tournamentGuid'> {
  readonly division: string
  readonly format: Format
  readonly settings: Settings
  /** By number; at least one. */
  readonly matches: readonly ComparedMatch[]
}

export interface ComparedMatch extends Pick<MatchRecord, 'guid' | 'number' | 'section' | 'round' | 'groupIndex'> {
  readonly status: MatchStatus
  readonly started: boolean
  readonly scheduledAt: Date | null
}

/** A medium that one of the compared texts or addresses names. */
export interface ComparedMedium {
  readonly guid: string
  /** SHA-256 in hex: copies of a medium have the same one. */
  readonly digest: string
  readonly tournamentGuid: string | null
}

/** One thing that is different, with what a change of the real tournament needs. */
export type Difference = Shown & Change

interface Shown {
  readonly field: string
  readonly real: unknown
  readonly rehearsal: unknown
}

export type Change =
  | { readonly of: 'setting'; readonly name: SettingField }
  | { readonly of: 'channels' }
  | { readonly of: 'bestOf'; readonly bracket: ComparedBracket; readonly round: string; readonly bestOf: number }
  | {
      readonly of: 'time'
      readonly bracket: ComparedBracket
      readonly match: ComparedMatch
      readonly scheduledAt: Date | null
    }

/** The settings that are compared: all but the short id, which every tournament has its own of, and webhooks. */
export type ComparedSettings = Omit<SettingsView, 'id' | 'chatWebhookUrl' | 'chatWebhooks'>
export type SettingField = keyof ComparedSettings

/** What was changed in the real tournament since an instant. */
export interface ChangesSince {
  readonly settings: boolean
  readonly channels: boolean
  /** GUIDs. */
  readonly brackets: ReadonlySet<string>
  readonly matches: ReadonlySet<string>
}
