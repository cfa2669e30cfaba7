/** Fetches what the page needs, then closes the door behind it. */

import { loadColours } from "./highlight";
import { fetchSample } from "./sample";
import { loading, message, ready } from "./state";

export async function boot(): Promise<void> {
  try {
    await Promise.all([fetchSample(), loadColours()]);
    await ready();
  } catch (error) {
    loading.value = { state: "failed", message: message(error) };
  }
}
