import { defineElements } from '@ats/elements';

// The elements that the console shares with other products.
defineElements();
