import { useEffect } from 'react'
import { useAccess, useMay, useTournament } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Ending } from './ending.tsx'
import { SettingsForm } from './settings-form.tsx'

/** All settings of a tournament, by section, and how it ends. */
export function ManageSettings() {
  const read = useTournament()
  const access = useAccess().data
  const may = useMay()
  const isRead = read.data !== undefined
  useEffect(() => {
    // The section that the address names comes with the record.
    if (isRead && location.hash !== '') document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [isRead])
  return (
    <div className="page wide stack">
      <Loaded of={read} rows={8}>
        {(tournament) => (
          <>
            <div className="title">
              <div>
                <h1 data-title={`${words('manage.settings')} · ${tournament.name}`}>{words('manage.settings')}</h1>
                <p>{words('settings.intro')}</p>
              </div>
            </div>
            <SettingsForm tournament={tournament} roles={access?.roles ?? []} />
            {may('tournaments.changeStatus') && <Ending tournament={tournament} />}
          </>
        )}
      </Loaded>
    </div>
  )
}
