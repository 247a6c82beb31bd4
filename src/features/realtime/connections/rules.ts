/** How long a ticket is good, in seconds. (RT27) */
export const ticketSeconds = 30
