/** (badges: Records) */
export const badgeKinds = ['placement', 'participation', 'staff', 'award', 'special'] as const
export type BadgeKind = (typeof badgeKinds)[number]

/** How somebody came by a badge. */
export type GrantSource = 'request' | 'manual' | 'import' | 'award'
