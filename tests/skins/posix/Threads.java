// SPDX-License-Identifier: LGPL-2.1-or-later
// Threads of Java, whose machine was given a real-time policy: monitors, sleeps, collections.
public class Threads {
    private static long sum;

    private static void add() {
        for (int i = 0; i < 1000; i++) {
            synchronized (Threads.class) {
                sum += new int[100].length;
            }
            if (i % 200 == 0) {
                try {
                    Thread.sleep(1);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] threads = new Thread[4];

        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(Threads::add);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.gc();
        System.out.println("sum " + sum);
    }
}
