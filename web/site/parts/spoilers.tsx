import { prefer, usePreferences } from '../data/preferences.ts'
import { words } from '../data/words.ts'
import { Icon } from './icon.tsx'

/** The reader's own switch that hides scores and winners of a tournament until they ask for them. (W22) */

export function useSpoilers(tournament: string | undefined): boolean {
  const { spoilers } = usePreferences()
  return tournament !== undefined && spoilers.includes(tournament)
}

/** Keeps its place while the tournament is not known yet. (W18) */
export function SpoilerSwitch({ tournament = '' }: { readonly tournament: string | undefined }) {
  const { spoilers } = usePreferences()
  const isHidden = spoilers.includes(tournament)
  return (
    <button
      type="button"
      className="btn"
      aria-pressed={isHidden}
      disabled={tournament === ''}
      onClick={() =>
        prefer({ spoilers: isHidden ? spoilers.filter((each) => each !== tournament) : [...spoilers, tournament] })
      }
    >
      <Icon name="eye" />
      {words(isHidden ? 'spoiler.show' : 'spoiler.hide')}
    </button>
  )
}
